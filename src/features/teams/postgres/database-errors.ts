import { errorCode } from '../../../host/files/storage-error.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import { withoutPassword } from './database-url.js';

/** What the network says when a connection is gone or is refused, or a name is not found for a while. */
const OF_NETWORK: ReadonlySet<string | null> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  // What the name server of a network of containers says of a service that is stopped.
  'ENOTFOUND',
]);

/** What PostgreSQL says when it stops, starts, or has no connection left: 57P01 to 57P03, 53300, and all of class 08. */
const OF_SERVER = /^(?:57P0[1-3]|53300|08...)$/;
/** What `pg` says, without a code, of a connection that ended. */
const OF_CLIENT =
  /^(?:Connection terminated|Query read timeout|timeout expired|timeout exceeded|Client has|There was an error establishing an SSL connection)/i;
/** What a machine says that is there, and the way to a server that has just ended or is not yet there. */
const OF_HOST: ReadonlySet<string | null> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** What `pg` says of a server that has said nothing: it may be that nobody is there. */
const OF_SILENCE = /^(?:Connection terminated due to connection timeout|Query read timeout|timeout)/i;

/**
 * Whether an error of the database may mean that the connection was lost, so that the statement is worth another try
 * on a new one.
 */
export function isLostConnection(thrown: unknown): boolean {
  if (thrown instanceof PlanError) return false;
  const code = errorCode(thrown);
  if (code === null) return OF_CLIENT.test(messageOf(thrown));
  return OF_NETWORK.has(code) || OF_SERVER.test(code) || isSocketMissing(thrown);
}

/**
 * Whether an error says that a server which is there, or a machine, takes no connection just now: it starts, stops, or has
 * too many. A name that nobody knows, and an address at which nobody answers, do not say so.
 */
export function isServerAway(thrown: unknown): boolean {
  if (thrown instanceof PlanError) return false;
  const code = errorCode(thrown);
  if (code === null) return isLostConnection(thrown) && !OF_SILENCE.test(messageOf(thrown));
  return OF_HOST.has(code) || OF_SERVER.test(code) || isSocketMissing(thrown);
}

/** Whether the socket of a server on this machine is not there, as while that is restarted. */
function isSocketMissing(thrown: unknown): boolean {
  const isOfCall = typeof thrown === 'object' && thrown !== null && 'syscall' in thrown;
  return isOfCall && thrown.syscall === 'connect' && errorCode(thrown) === 'ENOENT';
}

const HINTS: Readonly<Record<string, string>> = {
  '28P01': 'Look at user and password in FRCTL_DATABASE_URL, or in `database_url` of your own config.',
  '28000': 'Look at the user in FRCTL_DATABASE_URL, and at who may connect (pg_hba.conf).',
  '3D000': 'Make the database (`createdb`), or name another in FRCTL_DATABASE_URL.',
  '42501':
    'Connect as the owner of the tables, or as a member of that role (docs/teams.md, “Several users of the database”).',
  '25006': 'This is a copy that can only be read; name the server that can be written.',
  '53100': 'The disk of the database is full. What was acknowledged before is kept.',
};

/**
 * Turns what PostgreSQL, or the way to it, refused into an error that names the place and the cure.
 * @param isAgain whether the statement was sent before, and may have been done then
 */
export function databaseError(thrown: unknown, url: string, location: string, isAgain = false): PlanError {
  if (thrown instanceof PlanError) return thrown;
  const code = errorCode(thrown);
  const reason = withoutPassword(reasonOf(thrown), url);
  const isLost = isLostConnection(thrown);
  const what = isLost ? 'cannot be reached' : 'refused';
  return new PlanError('STORAGE_FAILED', `the database ${location} ${what}: ${reason}`, {
    hint: {
      commandLine:
        HINTS[code ?? ''] ??
        (isLost
          ? 'Look whether it runs, and at FRCTL_DATABASE_URL. What was acknowledged before is kept; `plan log` shows whether a change was made.'
          : 'What was acknowledged before is kept. Mend the cause and run the command again.'),
    },
    details: {
      database: location,
      ...(code === null ? {} : { reason: code }),
      ...(constraintIn(thrown) === null ? {} : { constraint: constraintIn(thrown) }),
      ...(isLost ? { reachable: false } : {}),
      ...(isAgain ? { again: true } : {}),
    },
  });
}

/** Whether a statement failed only because the database could not be reached for a while. */
export function isOutOfReach(thrown: unknown): boolean {
  return thrown instanceof PlanError && thrown.details.reachable === false;
}

/** The code of the error with which the database refused a statement; null where it is no such error. */
export function sqlStateOf(thrown: unknown): string | null {
  const reason = thrown instanceof PlanError && !isOutOfReach(thrown) ? thrown.details.reason : undefined;
  return typeof reason === 'string' ? reason : null;
}

/**
 * Whether the database refused a statement with an error because a row that it writes is there: it had been sent
 * before, and done.
 */
export function isUniqueViolation(thrown: unknown, table: string): boolean {
  if (sqlStateOf(thrown) !== '23505' || !(thrown instanceof PlanError)) return false;
  const { again, constraint } = thrown.details;
  return again === true && typeof constraint === 'string' && constraint.startsWith(`${table}_`);
}

function constraintIn(thrown: unknown): string | null {
  const named = typeof thrown === 'object' && thrown !== null && 'constraint' in thrown;
  return named && typeof thrown.constraint === 'string' ? thrown.constraint : null;
}

/** Node says nothing in the message of an error that stands for several addresses that were tried. */
function reasonOf(thrown: unknown): string {
  const said = messageOf(thrown);
  return said === '' ? (errorCode(thrown) ?? 'no reason was given') : said;
}
