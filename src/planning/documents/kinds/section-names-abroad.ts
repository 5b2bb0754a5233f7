/** What `section-names.ts` has, in other languages: German, French, Spanish, Portuguese, Russian, Ukrainian. */

export const CONTEXT_ABROAD = `
  hintergrund|einleitung|einführung|überblick|übersicht|ausgangslage|ausgangssituation|ist zustand|ist analyse|problemstellung|zielgruppe|zielgruppen
  stakeholder|glossar|begriffe|definitionen|abkürzungen|referenzen|quellen|literatur|links|weiterführende links|risiken|risiken und maßnahmen|annahmen
  voraussetzungen|rahmenbedingungen|randbedingungen|abhängigkeiten|alternativen|begründung|inhalt|inhaltsverzeichnis|autoren|änderungshistorie
  änderungsverlauf|versionshistorie|historie|zusammenfassung|zweck|kontext|rollen|verantwortlichkeiten|ansprechpartner|kosten|zeitplan|termine
  teilnehmer|teilnehmende|anwesend|anwesende|abwesend|entschuldigt|tagesordnung|protokoll|diskussion|besprochen|besprechung|besprochenes|beschlüsse|entscheidungen|entscheidung
  offene fragen|anhang|anmerkungen|hinweise|notizen|kennzahlen|lizenz|kontakt|konsequenzen|folgen|optionen|vorbedingungen|ablauf|akteure
  contexte|présentation|présentation du projet|présentation générale|préambule|historique|existant|état des lieux|situation actuelle|problématique
  public cible|cible|cibles|utilisateurs cibles|parties prenantes|glossaire|définitions|références|liens|liens utiles|risques|hypothèses|contraintes
  dépendances|justification|sommaire|table des matières|auteurs|statut|résumé|équipe|rôles|coûts|calendrier|planning|participants|présents|absents
  ordre du jour|compte rendu|échanges|points abordés|points discutés|décisions|décision|questions ouvertes|annexe|annexes|remarques|indicateurs|indicateurs de suivi|licence|conséquences
  contexto|introducción|introdução|antecedentes|motivación|motivação|resumen|resumo|visión|visão|visão geral|descripción general|problema|justificación
  justificativa|público objetivo|público alvo|glosario|glossário|definiciones|definições|referencias|referências|enlaces|riesgos|riscos|supuestos
  premissas|restricciones|restrições|dependencias|dependências|alternativas|índice|tabla de contenidos|autores|estado|historial|histórico|equipo|equipe
  presupuesto|orçamento|cronograma|asistentes|participantes|discusión|temas tratados|discussão|discussões|assuntos tratados|orden del día|pauta|decisiones|decisões|decisión|decisão|preguntas abiertas|anexo|anexos
  notas|métricas|observações|licencia|licença|contacto|contato|consecuencias|consequências|justificación|justificação|justificativa
  введение|вступление|вступ|обзор|огляд|описание|описание проекта|опис|предыстория|контекст|мотивация|проблема|проблематика|назначение|призначення
  целевая аудитория|пользователи|глоссарий|термины|термины и определения|ссылки|источники|риски|ризики|допущения|ограничения|обмеження|зависимости
  альтернативы|обоснование|содержание|оглавление|зміст|авторы|статус|текущее состояние|текущий статус|поточний стан|поточний статус|история изменений
  команда|роли|бюджет|сроки|участники|присутствовали|обсуждение|обсудили|обсуждали|повестка|повестка дня|решения|решение|открытые вопросы|приложение|приложения|примечания|примітки
  метрики|лицензия|контакты|последствия|стек технологий|технологический стек|технологии|технології
`;
export const OUT_OF_SCOPE_ABROAD = `
  nicht ziele|nichtziele|abgrenzung|abgrenzungskriterien|außerhalb des umfangs|nicht im umfang|spätere erweiterungen|ausblick
  hors périmètre|hors scope|non objectifs|exclusions|évolutions futures|évolutions ultérieures|fuera de alcance|fora de escopo|fora do escopo
  no objetivos|não objetivos|exclusiones|trabajo futuro|trabalhos futuros|melhorias futuras|nicht enthalten|não incluído|no incluido|non inclus|вне рамок|за рамками|вне области|исключения|не цели|не входит в объем
`;
export const ACCEPTANCE_ABROAD = `
  akzeptanzkriterien|abnahmekriterien|erfolgskriterien|nachbedingungen|critères d acceptation|critères de succès|critères de réussite
  critères de validation|criterios de aceptación|criterios de éxito|critérios de aceitação|critérios de aceite|критерии приемки|критерии приёмки
  критерии готовности|критерии успеха|критерії приймання|критерії готовності
`;
export const AIMS_ABROAD = `ziel|ziele|projektziel|projektziele|objectif|objectifs|objectifs du projet|buts|objetivo|objetivos|цель|цели|ціль|цілі|мета`;
export const CONTAINER_ABROAD = `
  anforderungen|funktionale anforderungen|nichtfunktionale anforderungen|nicht funktionale anforderungen|musskriterien|muss kriterien|wunschkriterien
  soll kriterien|kann kriterien|funktionen|produktfunktionen|aufgaben|maßnahmen|nächste schritte|umsetzung|umsetzungsplan|projektplan|meilensteine
  phasen|arbeitspakete|lieferumfang|leistungsumfang|schritte|fahrplan|exigences|exigences fonctionnelles|exigences non fonctionnelles|besoins
  besoins fonctionnels|fonctionnalités|fonctionnalités principales|tâches|à faire|plan d action|prochaines étapes|étapes|livrables|jalons
  feuille de route|périmètre|spécifications|spécifications fonctionnelles|mise en œuvre|requisitos|requisitos funcionales|requisitos no funcionales
  requisitos funcionais|requisitos não funcionais|funcionalidades|tareas|tarefas|por hacer|a fazer|acciones|próximos pasos|próximos passos|pasos|passos
  entregables|entregáveis|hitos|marcos|alcance|escopo|historias de usuario|histórias de usuário|implementación|implementação|требования
  функциональные требования|нефункциональные требования|вимоги|функціональні вимоги|функции|функционал|возможности|задачи|задачі|завдання|план работ
  план реализации|план реалізації|план розвитку|план развития|дорожная карта|этапы|етапи|этапы разработки|шаги|следующие шаги|наступні кроки
`;

/** Sections in which somebody is told to do something, in minutes and records too. */
export const ACTIONS_ABROAD = `
  maßnahmen|aufgaben|offene aufgaben|nächste schritte|aktionspunkte|aktionen|zu erledigen|to dos|plan d action|points d action|tâches|à faire
  prochaines étapes|acciones|elementos de acción|tareas|tareas pendientes|pendientes|próximos pasos|por hacer|ações|itens de ação|plano de ação|plan de acción|tarefas|pendências
  encaminhamentos|próximos passos|a fazer|задачи|поручения|действия|следующие шаги|план действий|что сделать|задачі|наступні кроки
  行动项|行动事项|行動項目|后续行动|後續行動|下一步|下一步行动|下一步計劃|下一步计划|待办|待办事项|待辦事項|任务|任務|任务分配|アクションアイテム|アクション|対応事項|次のステップ|次のアクション|実装計画|移行計画|タスク|やること|宿題|今後の対応
  할 일|할일|액션 아이템|실행 항목|조치 사항|후속 조치|다음 단계|작업
`;

/**
 * The same in Chinese, Japanese and Korean, whose headings are told by how they end: whatever stands before says of what.
 * What names work by its kind alone has to be the whole heading, as "登录功能" is work.
 */
export const EASTERN = [
  [
    'out_of_scope',
    /(?:不在范围|不在範圍|范围外|範圍外|範囲外|対象外|スコープ外|非目标|非目標|不包含|不做|やらないこと|后续规划|未来规划|범위 외|제외 범위|제외 사항|비목표|향후 계획)$/,
  ],
  [
    'acceptance',
    /(?:验收标准|验收条件|驗收標準|驗收條件|完成标准|完成定义|完成定義|后置条件|受け入れ基準|受入基準|受け入れ条件|受入条件|完了条件|完了の定義|事後条件|인수 기준|인수 조건|수용 기준|완료 조건|완료 기준|사후 조건)$/,
  ],
  ['aims', /(?:^|项目|產品|产品|プロジェクト |프로젝트 )(?:目标|目標|ゴール|狙い|목표)$/],
  [
    'container',
    /^(?:核心|主要|关键|關鍵|功能|非功能|機能|非機能|开发|開發|開発|实施|實施|実装|핵심 |주요 |기능 |비기능 |구현 |개발 |작업 )*(?:需求|要求|要件|요구|요구사항|功能|機能|기능|任务|任務|タスク|작업|待办|待办事项|待辦事項|할 일|里程碑|マイルストーン|마일스톤|路线图|路線圖|ロードマップ|로드맵|计划|計畫|計画|계획|步骤|步驟|手順|단계|范围|範圍|スコープ|범위|交付物|成果物|산출물|用户故事|使用者故事|ユーザーストーリー|사용자 스토리)(?:清单|清單|列表|一覧|목록|사항)?$/,
  ],
  [
    'context',
    /(?:背景|概述|概要|简介|簡介|前言|引言|动机|動機|愿景|願景|痛点|痛點|画像|用户原声|目标用户|目標用戶|受众|受眾|干系人|术语|術語|用語|参考|参考资料|參考資料|附录|附錄|付録|目录|目錄|目次|修订|変更履歴|変更历史|变更|改訂履歴|风险|風險|リスク|应对|假设|前提|制約|现状|現況|現状|竞品|市场|指标|指標|时间表|預算|预算|分工|成员|成員|团队|體制|体制|定位|价值主张|價值主張|常见问题|よくある質問|状态|ステータス|コンテキスト|选择|選択肢|备选方案|代替案|影響|アクター|対象読者|ペルソナ|事前条件|前置条件|基本フロー|代替フロー|例外フロー|主流程|异常流程|备选流程|画面情報|画面遷移|備考|备注|はじめに|讨论|讨论内容|討論|議論|討議|会议纪要|会議記錄|議事録|논의|논의 내용|개요|배경|소개|대상 사용자|페르소나|용어|용어 정의|참고|참고 자료|부록|목차|변경 이력|위험|리스크|가정|제약|의존성|현황|지표|일정|예산|참석자|회의록|비고|기본 흐름|대안 흐름|예외 흐름|사전 조건|기술 스택|实体|實體|エンティティ|엔티티|타이포그래피|项目概况)(?:表|一覧|説明|说明|記録|记录|分析|矩阵|情報|사항)?$|^(?:目的|関連する.+)$/,
  ],
] as const;
