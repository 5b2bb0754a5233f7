import { isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { pointerTo } from '../../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';

/** A string among the arguments of a tool that talks to a database. */
export interface SqlArgument {
  readonly text: string;
  /** Whether its name says that it is SQL; else it may be anything. */
  readonly isQuery: boolean;
  /** Whether its name says that people read it. */
  readonly isProse: boolean;
  readonly pointer: JsonPointer;
}

const QUERY_WORD =
  /(?:^|_)(?:sql|query|queries|statements?|stmts?|scripts?|commands?|cmd|text|ddl|dml|[tp]l?sql|cql|batch)(?:_|$)/;
const PROSE_WORD =
  /(?:^|_)(?:title|description|desc|notes?|comments?|messages?|reasons?|summary|labels?|subject|purpose|goal|explanation|remarks?|caption|hints?|memo|name)$/;
/** What is about a query is none. */
const ABOUT = /_(?:id|ids|name|names|tag|tags|mode|type|timeout|label|title|limit|count|hash|plan|language)$/;
const VALUE_KEY = /^(?:args|params|parameters|values?|bindings?|binds|variables|data|rows?)$/i;

/**
 * Every string of some arguments. Values that are bound to a query beside them are left out: a `DELETE FROM t` among
 * them is text. Objects among them are looked into, for what is called a query is one anywhere.
 */
export function sqlArguments(args: JsonValue, pointer: JsonPointer): readonly SqlArgument[] {
  return stringsOf(args, pointer, null, false);
}

function stringsOf(
  value: JsonValue,
  pointer: JsonPointer,
  key: string | null,
  bound: boolean,
): readonly SqlArgument[] {
  if (typeof value === 'string') {
    const isQuery = key !== null && isQueryKey(key);
    return bound && !isQuery
      ? []
      : [{ text: value, isQuery, isProse: key !== null && PROSE_WORD.test(wordsOf(key)), pointer }];
  }
  if (isJsonList(value))
    return value.flatMap((item, index) => stringsOf(item, pointerTo(pointer, index), key, bound));
  if (!isJsonObject(value)) return [];
  const names = Object.keys(value);
  const hasQuery = names.some((name) => isQueryKey(name) && !VALUE_KEY.test(name));
  return names.flatMap((name) =>
    stringsOf(
      value[name] ?? null,
      pointerTo(pointer, name),
      name,
      bound || (hasQuery && VALUE_KEY.test(name)),
    ),
  );
}

function isQueryKey(key: string): boolean {
  const words = wordsOf(key);
  return QUERY_WORD.test(words) && !ABOUT.test(words);
}

/** `preSqlScript` and `pre-sql-script` as `pre_sql_script`. */
function wordsOf(key: string): string {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_');
}
