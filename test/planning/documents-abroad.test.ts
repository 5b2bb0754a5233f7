import { expect, test } from 'vitest';

import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves as read } from '../support/document-leaves.js';

const section = (heading: string, ...items: readonly string[]) =>
  `## ${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}\n\n`;

test.each([
  ['German', 'Ausgangslage', 'Aufgaben', 'Nicht-Ziele', 'Abnahmekriterien'],
  ['French', 'Public cible', 'Tâches', 'Hors périmètre', 'Critères d’acceptation'],
  ['Spanish', 'Riesgos', 'Próximos pasos', 'Fuera de alcance', 'Criterios de aceptación'],
  ['Portuguese', 'Visão geral', 'Tarefas', 'Fora de escopo', 'Critérios de aceitação'],
  ['Russian', 'Целевая аудитория', 'Задачи', 'Вне рамок', 'Критерии приемки'],
  ['simplified Chinese', '3. 风险与应对', '功能清单', '不在范围', '验收标准'],
  ['traditional Chinese', '背景與動機', '待辦事項', '範圍外', '驗收標準'],
  ['Japanese', '用語一覧', '機能要件', '対象外', '受け入れ基準'],
  ['Korean', '프로젝트 개요', '주요 기능', '범위 외', '인수 기준'],
])(
  'a document in %s has context, work, what is left for later and criteria',
  (_, context, work, out, criteria) => {
    const doc = read(
      `# Orchard\n\n${section(context, 'alpha')}${section(work, 'beta', 'gamma')}${section(out, 'delta')}${section(criteria, 'epsilon')}`,
    );
    expect(doc).toMatchObject({
      leaves: ['beta', 'gamma'],
      outOfScope: ['delta'],
      acceptance: ['epsilon'],
    });
    expect(doc.detail).toContain('- alpha');
  },
);

test('a feature in Chinese or Japanese whose name ends like a chapter is work', () => {
  const features = ['登录功能', '风险提示计算', 'レポート出力機能'];
  expect(read(`# Orchard\n\n${features.map((name) => `## ${name}\n\nText.\n`).join('\n')}`).leaves).toEqual(
    features,
  );
});

test('what a list before the first heading says of the document is no work', () => {
  const doc = read(
    '- Start: 2031-02-03\n- Thread: https://example.org/7\n\n# Build\n\n- Plant trees\n\n# Ship\n\n- Sell fruit\n',
  );
  expect(doc.leaves).toEqual(['Plant trees', 'Sell fruit']);
  expect(doc.detail).toContain('- Thread: https://example.org/7');
  expect(read('- Plant: trees\n- Sell fruit\n\n# Sow\n\n- Rest\n').leaves).toHaveLength(3);
});

test('the first heading names a document whatever stands before it, if all others are below it', () => {
  expect(read('> From a template.\n\n## Plant the orchard\n\n### Trees\n\n- Buy trees\n').title).toBe(
    'Plant the orchard',
  );
  expect(read('Hello.\n\n## Tasks\n\n### Trees\n\n- Buy trees\n').title).toBeNull();
  expect(read('Hello.\n\n## Trees\n\n## Fences\n').title).toBeNull();
});

test('facts with their names are detail of what they are facts of', () => {
  const doc = read(
    '# Shop\n\n## Side bar\n\n- Width: 240px\n- Colour: #1a2b3c\n- Path: `/side`\n\n## Basket\n\n- Totals: the user must see them\n- Discounts: apply codes at the till\n',
  );
  expect(doc.leaves).toEqual([
    'Side bar',
    'Totals: the user must see them',
    'Discounts: apply codes at the till',
  ]);
  expect(doc.detail).toContain('- Colour: #1a2b3c');
});

test('boxes, and parts that are numbered, are no facts', () => {
  expect(read('# Shop\n\n## Side bar\n\n- [ ] Width: 240px\n- [ ] Path: `/side`\n').leaves).toHaveLength(2);
  expect(read('# Shop\n\n## Weeks\n\n- Week 1: seeds\n- Week 2: trees\n').leaves).toHaveLength(2);
});

test('who was present and what was said at a meeting is no work; what somebody is to do is', () => {
  const doc = read(
    '# Orchard council 2031-02-03\n\n## Present\n\n- Ana\n- Bo\n\n## Agenda\n\n### Fences\n\n- Bo reported on prices\n- TODO: Ana asks the neighbour\n\n## Action items\n\n- Buy posts\n',
  );
  expect(doc.leaves).toEqual(['TODO: Ana asks the neighbour', 'Buy posts']);
  expect(doc.detail).toContain('- Bo reported on prices');
});

test('a decision record by its title holds no work but its actions', () => {
  const doc = read(
    '---\ntitle: ADR-7 Fences\n---\n\n## 選択肢\n\n- 木\n- 石\n\n## 理由\n\n- 安い\n\n## 次のステップ\n\n- 柱を買う\n',
  );
  expect(doc).toMatchObject({ title: 'ADR-7 Fences', leaves: ['柱を買う'] });
});

test('a table of contents in any language is no list of work', () => {
  expect(
    read('# Hof\n\n## Kapitel\n\n- [Bäume](#bäume)\n- [Zaun](#zaun)\n\n## Bäume\n\n- Bäume pflanzen\n')
      .leaves,
  ).toEqual(['Bäume pflanzen']);
});

test('a scenario is a criterion, numbered or not and in any language', () => {
  const { leaves, acceptance } = read(
    '# Hof\n\n## 7.1 Szenario 1: Ernte\n\n- Ana pflückt\n- Bo zählt\n\n## Apples\n\n- Pick apples\n',
  );
  expect(leaves).toEqual(['Pick apples']);
  expect(acceptance).toEqual([expect.stringContaining('Ana pflückt')]);
});

test('what a heading says is not claimed or out of scope for now is no work', () => {
  const doc = read(
    "# Hof\n\n## What's explicitly not claimed\n\n- Growth\n\n## Out of scope for the first year\n\n- Pears\n\n## Work\n\n- Pick apples\n",
  );
  expect(doc).toMatchObject({ leaves: ['Pick apples'], outOfScope: ['Growth', 'Pears'] });
});

test('a list in a design document is detail, unless somebody is told to do it or the heading plans', () => {
  const doc = read(
    '# Press design\n\n## Frame\n\n- two oak beams\n- the screw is the part that wears\n\n## Guide\n\n- Grease the screw\n- The lid must close\n\n## Phase 1\n\n- frame and screw\n',
  );
  expect(doc.leaves).toEqual(['Grease the screw', 'The lid must close', 'frame and screw']);
  expect(doc.detail).toContain('- two oak beams');
});

test('what a record would build has a heading each, and its lists are detail', () => {
  const doc = read(
    '# Nets\n\n## Drawbacks\n\nDear.\n\n## Prior art\n\nNone.\n\n## Detailed design\n\n### Mesh\n\n- 7 mm wide\n- Con: birds\n\n### Poles\n\nOf ash.\n',
  );
  expect(doc.leaves).toEqual(['Mesh', 'Poles']);
  expect(doc.detail).toContain('- Con: birds');
});

test('signs say what is done where a list has those of both kinds, and are bullets else', () => {
  const { outline } = readDocument('# Hof\n\n- ✅ Buy posts\n- ⏳ Set posts\n- [ ] ✅ Paint\n', 'DOC.md');
  expect(outline.items.map(({ description, complete }) => [description, complete])).toEqual([
    ['Buy posts', true],
    ['Set posts', false],
    ['Paint', false],
  ]);
  expect(read('# Hof\n\n- ✅ Buy posts\n- ✅ Set posts\n').leaves).toEqual(['✅ Buy posts', '✅ Set posts']);
});

test.each([
  ['Aufgabe', 'Status', 'erledigt'],
  ['Tâche', 'Statut', 'terminé'],
  ['Tarea', 'Estado', 'hecho'],
  ['Tarefa', 'Situação', 'concluída'],
  ['Задача', 'Статус', 'готово'],
  ['任务', '状态', '已完成'],
  ['タスク', '状態', '完了'],
  ['작업', '상태', '완료'],
])('a table of tasks in another language: | %s | %s |', (name, status, done) => {
  const table = `# Orchard\n\n| ${name} | ${status} |\n|-|-|\n| alpha | ${done} |\n| beta | – |\n`;
  const { items } = readDocument(table, 'plan.md').outline;
  expect(items.map(({ description, complete }) => [description, complete])).toEqual([
    ['alpha', true],
    ['beta', false],
  ]);
});

test.each([
  ['Protokoll', 'Anwesend: Ann, Bo', 'Besprochen', 'Aufgaben', 'Wer | Was | Bis'],
  ['Compte rendu', 'Présents : Ann, Bo', 'Échanges', 'Actions', 'Qui | Quoi | Échéance'],
  ['Acta de la reunión', 'Asistentes: Ann, Bo', 'Discusión', 'Acciones', 'Quién | Qué | Plazo'],
  ['Ata da reunião', 'Presentes: Ann, Bo', 'Discussão', 'Ações', 'Quem | O quê | Prazo'],
  ['Протокол встречи', 'Присутствовали: Анна', 'Обсуждение', 'Задачи', 'Кто | Что | Срок'],
  ['会议纪要', '参会人员：小王', '讨论', '行动项', '谁 | 什么 | 截止日期'],
  ['議事録', '出席者：田中', '議論', 'アクションアイテム', '担当 | 内容 | 期限'],
  ['회의록', '참석자: 민준', '논의', '할 일', '담당자 | 내용 | 기한'],
])('minutes in another language: %s', (title, present, talk, actions, header) => {
  const doc = read(
    `# ${title} 20.11.2031\n\n${present}\n\n## ${talk}\n\n- alpha\n\n## ${actions}\n\n| ${header} |\n|-|-|-|\n| Ann | beta | Fr |\n| Bo | gamma | Mo |\n`,
  );
  expect(doc.leaves).toEqual(['beta', 'gamma']);
  expect(doc.detail).toContain('- alpha');
});

test.each([
  'Meilenstein #',
  'Schritt #',
  'Étape #',
  'Jalon #',
  'Fase #',
  'Hito #',
  'Etapa #',
  'Этап #',
  'Фаза №#',
  '阶段 #',
  '第#阶段',
  'フェーズ#',
  'ステップ #',
  '#단계',
])('phases follow each other by number in another language: %s', (name) => {
  const phases = [2, 1, 3].map(
    (number) => `## ${name.replace('#', String(number))}: alpha\n\n- beta ${number}\n`,
  );
  const { items } = readDocument(`# Orchard\n\n${phases.join('\n')}`, 'plan.md').outline;
  expect(items.map(({ children, after = [] }) => [children[0]?.description, ...after])).toEqual([
    ['beta 1'],
    ['beta 2', 0],
    ['beta 3', 1],
  ]);
});

test('Chinese numbers count, and a word with a letter behind its number is none of a row', () => {
  const after = (...names: readonly string[]) =>
    readDocument(
      `# Orchard\n\n${names.map((name) => `## ${name}\n\n- alpha\n`).join('\n')}`,
      'plan.md',
    ).outline.items.map(({ after: waits = [] }) => waits);
  expect(after('第十阶段', '第十一阶段', '第二十阶段')).toEqual([[], [0], [1]]);
  expect(after('Etappe 1a', 'Etappe 2b')).toEqual([[], []]);
});

test('a plan in phases of another language is work, and its lists are', () => {
  const phases = [1, 2].map(
    (number) => `### Fase ${number}\n\n- alpha ${number}\n- beta ${number}\n- gamma ${number}\n`,
  );
  const doc = read(`# Orchard\n\n## Fases de desenvolvimento\n\n${phases.join('\n')}`);
  expect(doc.leaves).toEqual(['alpha 1', 'beta 1', 'gamma 1', 'alpha 2', 'beta 2', 'gamma 2']);
});
