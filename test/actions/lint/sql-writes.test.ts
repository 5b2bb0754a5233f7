import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { sqlWrite, sqlWriteForm } from '../../../src/features/actions/lint/sql/sql-writes.js';
import { foundBy, planOf } from '../../support/lint.js';
import { deletes, REFERENCE_LEXERS } from '../../support/sql-lexers.js';
import { HIDDEN_WRITES, READS, WRITES } from '../../support/sql-statements.js';
import { scale } from '../../faults/support/scale.js';

const shown = (sql: string) => JSON.stringify(sql);

describe('what only reads', () => {
  test.each(READS.map((sql) => [shown(sql), sql]))('%s', (_, sql) => {
    expect(sqlWrite(sql)).toBeNull();
  });
});

describe('what writes', () => {
  test.each(WRITES.map((sql) => [shown(sql), sql]))('%s', (_, sql) => {
    expect(sqlWrite(sql)).not.toBeNull();
  });
});

describe('what one product carries out and a lexer for another overlooks', () => {
  test.each(HIDDEN_WRITES.map(([product, sql]) => [`${product}: ${shown(sql)}`, sql]))('%s', (_, sql) => {
    expect(sqlWrite(sql)).not.toBeNull();
  });
});

/** Whatever begins or ends a quotation or a comment anywhere. */
const TRICKS = [
  `' ' " \` [ ] $$ $a$ $é$ E' q'[ ]' nq'! !' \\ \\ '' "" -- # /* /* */ */ /*! /*!50000 /*!99999 /*/`.split(
    ' ',
  ),
  "@a( :b( $c::d( ) ; a a$$ 1 $1 E q ]] U&' N'".split(' '),
  [' ', ' ', '-- ', '\n', '\n', '\r', '\u00A0'],
].flat();
const tricks = fc.array(fc.constantFrom(...TRICKS), { maxLength: 9 }).map((pieces) => pieces.join(''));

test('whatever comments and quotations stand around a write, no product carries out what is called a read', () => {
  fc.assert(
    fc.property(tricks, fc.constantFrom(';', '; ', '\n;'), tricks, (before, mark, behind) => {
      const text = `SELECT 1 ${before}${mark} DELETE FROM t ${behind}`;
      if (sqlWrite(text) !== null) return;
      expect(REFERENCE_LEXERS.filter((lexer) => deletes(lexer, text)).map(({ product }) => product)).toEqual(
        [],
      );
    }),
    { numRuns: scale(3_000, 1_000) },
  );
});

test('a read stays one whatever stands in its strings and comments, where all products read it alike', () => {
  const content = fc
    .array(
      fc.constantFrom(
        'DELETE FROM t',
        '; DROP TABLE t',
        ';',
        ' ',
        'EXEC x',
        '"',
        '(',
        'BEGIN',
        '/',
        '*',
        '-',
        ',',
      ),
    )
    .map((pieces) => pieces.join(' '));
  fc.assert(
    fc.property(content, content, (string, comment) => {
      const inComment = comment.replaceAll('*', '').replaceAll('/', '');
      expect(sqlWrite(`SELECT '${string}' AS a /* ${inComment} */ FROM t -- ${comment}`)).toBeNull();
    }),
  );
});

test('any text is read to an end, in time linear in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      expect([sqlWrite(text), sqlWriteForm(text)]).toHaveLength(2);
    }),
  );
  for (const piece of [
    "'",
    '/*',
    '$a$',
    "q'[",
    '[',
    '(',
    'BEGIN ',
    'SELECT ',
    'a.',
    '/*!50000 ',
    "E'\\'\n",
    '--1 ',
  ]) {
    const text = piece.repeat(20_000 / piece.length);
    expect([sqlWrite(text), sqlWriteForm(text)]).toHaveLength(2);
  }
});

test('comments for more versions of MySQL than can be told apart are no read', () => {
  const text = Array.from({ length: 9 }, (_, index) => `/*!5000${index} x */`).join(' ');
  expect(sqlWrite(`SELECT 1 ${text}`)).toBe('comments for too many versions of MySQL');
});

describe('what may be no SQL at all', () => {
  test.each([
    'Delete old rows',
    'Update the report',
    'Create a summary',
    'execute the plan',
    'call me',
    'drop by',
    'Select the rows, then show them',
    'deleted, inserted',
    'https://example.com/delete',
  ])('%s is none', (text) => {
    expect(sqlWriteForm(text)).toBeNull();
  });

  test.each([
    'DELETE FROM t',
    'INSERT INTO t VALUES (1)',
    'UPDATE t SET a = 1',
    "EXEC('DELETE FROM t')",
    "EXEC sp_rename 'a', 'b'",
    'CALL cleanup()',
    'SELECT 1; DROP TABLE t',
    'WITH x AS (DELETE FROM t RETURNING 1) SELECT 1',
    'BEGIN UPDATE t SET a = 1 END',
    "SELECT '\\'; DELETE FROM t --'",
    'GRANT ALL ON t TO app',
    '/* x */ DELETE FROM t',
  ])('%s is a write', (text) => {
    expect(sqlWriteForm(text)).not.toBeNull();
  });
});

const FORMED = [
  'TRUNCATE t',
  'TRUNCATE public.t, u CASCADE',
  'TRUNCATE ONLY t RESTART IDENTITY',
  "COPY t TO PROGRAM 'x'",
  "COPY t (a, b) FROM '/x' WITH (FORMAT csv)",
  "COPY (SELECT * FROM t) TO '/x'",
  'COPY INTO t FROM @stage',
  'COPY t FROM STDIN',
  "BULK INSERT t FROM 'x'",
  "LOAD DATA LOCAL INFILE 'x' INTO TABLE t",
  "LOAD DATA INPATH 'x' INTO TABLE t",
  'DO $$ BEGIN DELETE FROM t; END $$',
  'DO LANGUAGE plpgsql $a$ x $a$',
  'PREPARE p AS DELETE FROM t',
  'PREPARE p (int) AS UPDATE t SET a = $1',
  'UPSERT INTO t VALUES (1)',
  'INSERT INTO a.t (x) SELECT 1',
  'INSERT t VALUES (1)',
  'INSERT OR REPLACE INTO t VALUES (1)',
  "REPLACE t SET a = 'x'",
  'MERGE t USING s ON t.a = s.a WHEN MATCHED THEN DELETE',
  'DELETE t WHERE a = 1',
  'DELETE FROM ONLY t',
  'DELETE FROM ${table}',
  'TRUNCATE ${table}',
  'ALTER SYSTEM SET x=1',
  'ALTER SYSTEM RESET ALL',
  'SHUTDOWN WITH NOWAIT',
  'SHUTDOWN IMMEDIATE',
  'SET GLOBAL x=1',
  'SET @@GLOBAL.x = 1',
  'SET PERSIST x = 1',
  "SET PASSWORD FOR app = 'x'",
  'SET SESSION AUTHORIZATION root',
  "ATTACH 'x.db' AS y",
  "ATTACH DATABASE 'x.db' AS y",
  "VACUUM INTO 'x.db'",
  'VACUUM FULL t',
  'REINDEX TABLE t',
  'OPTIMIZE TABLE t',
  "COMMENT ON TABLE t IS 'x'",
  'REFRESH MATERIALIZED VIEW v',
  'RENAME TABLE a TO b',
  "BACKUP DATABASE d TO DISK = 'x'",
  "RESTORE DATABASE d FROM DISK = 'x'",
  'PRAGMA writable_schema = 1',
  'KILL 5',
  'FLUSH PRIVILEGES',
  'DROP TABLE IF EXISTS t',
  'DROP TABLE a',
  'ALTER TABLE a ADD b int',
  'TRUNCATE a',
  'DELETE FROM a b WHERE b.c = 1',
  'DELETE FROM a WHERE b IN (1)',
  'UPDATE a b SET c = 1',
  'INSERT INTO a VALUES (1)',
  'CREATE OR REPLACE VIEW v AS SELECT 1',
  'CREATE INDEX ON t (a)',
  "\\copy t from 'x'",
];

describe('a statement under any name', () => {
  const spelt = [(sql: string) => sql, (sql: string) => sql.toLowerCase(), (sql: string) => `  (${sql});`];
  test.each(FORMED)('%s is a write, in capitals or not', (sql) => {
    expect(sqlWrite(sql)).not.toBeNull();
    expect(spelt.map((spell) => sqlWriteForm(spell(sql))).filter((word) => word === null)).toEqual([]);
    expect(sqlWriteForm(`SELECT 1; ${sql}`)).not.toBeNull();
    expect(sqlWriteForm(`x; ${sql}`)).not.toBeNull();
  });

  test.each([
    'SHUTDOWN',
    'VACUUM',
    'CALL cleanup',
    'EXECUTE p',
    'DELETE t',
    'GRANT admin TO bob',
    'VACUUM t',
    'DROP ROLE r',
  ])('%s is a write in capitals', (sql) => {
    expect(sqlWriteForm(sql)).not.toBeNull();
  });
});

describe('plain English under any name is none', () => {
  const verbs = [
    'Drop Set Call Do Truncate Copy Bulk Load Prepare Upsert Alter Shutdown Attach Detach Vacuum Insert Delete Replace',
    'Execute Kill Flush Grant Revoke Comment Rename Refresh Reindex Backup Restore Merge Update Import Export Lock Reset',
  ].flatMap((line) => line.split(' '));
  const ends = [
    'by the office',
    'the table',
    'me',
    'it again',
    'it',
    'them all',
    'me back at 5',
    'this to Bob',
    'a note on it',
    'everything you know',
    'my notes from the meeting',
    'the data into a chart',
    'all of it, please',
    'our dinner as planned',
    'up',
    'a copy',
    'from a list',
    'into a drawer',
    'out the report',
    'the system settings',
    'the global defaults',
    'the list from the archive',
    'the set of rules',
  ];
  const casings = [
    (text: string) => text,
    (text: string) => text.toLowerCase(),
    (text: string) => text.toUpperCase(),
  ];
  test.each(verbs)('%s …', (verb) => {
    const said = ends.flatMap((end) => casings.map((spell) => spell(`${verb} ${end}`)));
    expect(said.filter((text) => sqlWriteForm(text) !== null)).toEqual([]);
  });

  test.each([
    'Truncate logs',
    'Shutdown',
    'shutdown',
    'Copy notes to Bob',
    'copy a to b',
    'Prepare dinner as planned',
    'Load data from disk',
    'Alter system settings',
    'Set global goals for 2027',
    'Attach report as pdf',
    'Vacuum floors',
    'Do lunch',
    'Kill 5 birds with one stone',
    'Delete files where possible',
    'Delete from archive all old mails',
    'Insert into slot',
    'Create table of contents',
    'Grant access on Monday',
    'Backup database to disk',
    'Truncate table names to ten letters',
    'DELETE https://example.com/items/3',
    'PUT /items/3',
    'DELETE',
    'Call me; do it again',
  ])('%s', (text) => {
    expect(sqlWriteForm(text)).toBeNull();
  });

  test.each(['truncate logs', 'TRUNCATE logs', 'vacuum', 'CALL Bob'])(
    '%s, where people read it',
    async (note) => {
      expect(sqlWriteForm(note, true)).toBeNull();
      expect(
        await foundBy('SQL_WRITE', planOf({ tool: 'db.query', parameters: { note, userNote: note } })),
      ).toEqual([]);
    },
  );
});

describe('arguments of sql.* and db.*', () => {
  const found = (parameters: object) => foundBy('SQL_WRITE', planOf({ tool: 'db.query', parameters }));

  test.each<[string, object]>([
    ['a query in parameters', { params: { query: 'DELETE FROM t' } }],
    ['a query in data', { data: { rows: [{ sql: 'DROP TABLE t' }] } }],
    ['a list of statements', { statements: ['SELECT 1', { text: 'TRUNCATE t' }] }],
    ['arguments without a query beside them', { args: ['DELETE FROM t'] }],
    ['deep below', { a: { b: [{ c: { values: { script: 'EXEC cleanup' } } }] } }],
    ['a name of several words', { preSqlScript: 'DELETE t', query: 'SELECT 1' }],
    ['an own name', { payload: { next: 'SELECT 1; DELETE FROM t' } }],
    ['__proto__', JSON.parse('{"__proto__":{"query":"DELETE FROM t"}}') as object],
  ])('%s is looked at', async (_, parameters) => {
    expect(await found(parameters)).toEqual(['error']);
  });

  test.each<[string, object]>([
    ['values bound to a query', { query: 'INSERTED', values: ['DELETE FROM t', { note: 'DROP TABLE t' }] }],
    ['the name of a query', { query_name: 'delete old rows', query: 'SELECT 1' }],
    ['a title', { title: 'Delete old rows', description: 'Update of the total' }],
    ['numbers', { limit: 5, query: 'SELECT 1', params: [1, 2, null, true] }],
  ])('%s is none', async (_, parameters) => {
    expect(await found(parameters)).toEqual([]);
  });

  test.each(['wa:custom', 'soul:Custom'])('what %s gives a tool of the host is looked at', async (tool) => {
    const key = tool === 'wa:custom' ? 'action_type' : 'name';
    const parameters = { [key]: 'db.query', payload: { query: 'DROP TABLE t' } };
    expect(await foundBy('SQL_WRITE', planOf({ tool, parameters }))).toEqual(['error']);
  });

  test('a query that the context holds is judged with it', async () => {
    const plan = {
      ...planOf({ tool: 'db.query', parameters: { query: 'SELECT 1; ${context.tail}' } }),
      context: { tail: 'DELETE FROM t' },
    };
    expect(await foundBy('SQL_WRITE', plan)).toEqual(['error']);
  });
});
