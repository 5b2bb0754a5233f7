/** What columns of tables are called in German, French, Spanish, Portuguese, Russian, Chinese, Japanese and Korean. */

const whole = (names: string) => new RegExp(`^(?:${names.replaceAll(/\n */g, '')})$`, 'iu');

/** What a row is about. */
export const NAME_ABROAD =
  whole(`aufgaben?|arbeitspakete?|anforderung(?:en)?|funktion(?:en)?|maßnahmen?|meilensteine?|t[âa]ches?|exigences?|fonctionnalités?|livrables?
  |jalons?|tareas?|requisitos?|funcionalidad(?:es)?|entregables?|acci(?:ón|ones)|hitos?|tarefas?|funcionalidades?|entregáve(?:l|is)|aç(?:ão|ões)|задач[аи]|требовани[ея]
  |функци[яи]|действи[ея]|任务|任務|需求|功能|工作项|工作項|行动项|行動項目|待办|待辦|里程碑|タスク|作業|要件|機能|アクション|やること|作業内容|作業項目|작업|할 ?일|요구 ?사항|기능|과제|업무|액션`);
/** Of these, what is no work where nothing tells whose it is, or how far. */
export const ACTION_ABROAD = whole(
  `maßnahmen?|acci(?:ón|ones)|aç(?:ão|ões)|действи[ея]|アクション|액션|funktion(?:en)?|fonctionnalités?|funcionalidad(?:es)?|funcionalidades?|функци[яи]|功能|機能|기능`,
);
/** What names a row below a heading that says that work is listed. */
export const ROW_NAME_ABROAD =
  whole(`was|titel|name|thema|fehler|schritt|quoi|titre|nom|sujet|étape|action|qu[ée]|título|nombre|asunto|paso|o qu[eê]|nome|assunto|passo|что|название
  |заголовок|тема|шаг|什么|什麼|内容|內容|标题|標題|名称|名稱|事项|事項|何を?|タイトル|件名|項目|名前|무엇|무엇을|내용|제목|항목|이름`);
/** What says more of a row. */
export const TEXT_ABROAD = whole(
  `beschreibung|einzelheiten|descripci[óo]n|descrição|detalles?|detalhes?|описание|подробности|描述|说明|說明|内容|內容|詳細|説明|설명|내용|세부 ?사항`,
);
export const ID_ABROAD = whole(`nummer|num[ée]ro|n[°º]|número|номер|№|编号|編號|序号|序號|番号|번호`);
export const STATUS_ABROAD = whole(
  `stand|zustand|erledigt|fertig|statut|état|avancement|fait|estado|hecho|situação|feito|статус|состояние|готово|状态|狀態|状況|ステータス|状態|進捗|进度|進度|完成|完了|상태|진행 ?(?:상태|상황)|완료`,
);
export const PRIORITY_ABROAD = whole(
  `priorität|wichtigkeit|priorité|prioridad|prioridade|приоритет|优先级|優先級|優先順位|優先度|우선 ?순위`,
);
/** Who does it, and when. */
export const ASSIGNS_ABROAD =
  whole(`wer|verantwortlich(?:e[rn]?)?|zuständig|bis|bis wann|wann|frist|fällig(?: am)?|termin|qui|responsable|échéance|quand|pour quand|délai|date limite|quién|plazo
  |cuándo|fecha(?: límite)?|vence|quem|responsável|prazo|quando|data(?: limite)?|кто|ответственн(?:ый|ая|ые)|исполнитель|срок|когда|дедлайн|谁|誰|负责人|負責人|责任人|截止(?:日期|时间)?|期限|时间|時間
  |担当|担当者|いつ|締切|期日|누가|담당자?|기한|언제|마감일?`);
