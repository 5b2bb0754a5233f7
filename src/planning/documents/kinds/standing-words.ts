/** What a mark or a word beside the name of a piece of work says of it. */
export type Standing = 'done' | 'dropped' | 'held';

/** Words that say so alone, in English, German, French, Spanish, Portuguese, Russian, Chinese, Japanese and Korean. */
const WORDS: Readonly<Record<Standing, string>> = {
  done: `done|completed?|finished|closed|fixed|resolved|shipped|implemented|merged|released|delivered|achieved
    |erledigt|erreicht|fertig|fertiggestellt|abgeschlossen|umgesetzt|behoben|gelöst|terminée?s?|faite?s?|finie?s?|réalisée?s?|achevée?s?|livrée?s?|résolue?s?
    |hech[oa]s?|terminad[oa]s?|completad[oa]s?|finalizad[oa]s?|resuelt[oa]s?|feit[oa]s?|concluíd[oa]s?|pront[oa]s?|готов[оаы]?|сделан[оаы]?|выполнен[оаы]?
    |завершен[оаы]?|завершён|закончен[оаы]?|решен[оаы]|已?完成|已实现|已實現|已解决|已解決|完了|完了済み?|済み?|対応済み?|実装済み?|완료|완료됨|끝남`,
  dropped: `cancell?ed|dropped|rejected|abandoned|discarded|declined|obsolete|scrapped|superseded|won[’']?t (?:do|fix)|wontfix|will not do|not planned|not now|out of scope
    |gestrichen|verworfen|abgebrochen|abgelehnt|entfällt|entfallen|storniert|hinfällig|annulée?s?|abandonnée?s?|rejetée?s?|refusée?s?|supprimée?s?
    |cancelad[oa]s?|descartad[oa]s?|rechazad[oa]s?|anulad[oa]s?|abandonad[oa]s?|rejeitad[oa]s?|отменен[оаы]?|отменён|отклонен[оаы]?|отклонён|неактуально
    |已?取消|已?放弃|已?放棄|已?废弃|已?廢棄|已?拒绝|已?拒絕|不做|キャンセル|キャンセル済み?|中止|却下|見送り|廃止|취소|취소됨|폐기|폐기됨|기각|중단|중단됨`,
  held: `on hold|icebox|deferred|postponed|paused|parked|blocked|waiting|suspended|stalled|frozen|someday|later|moved
    |zurückgestellt|verschoben|pausiert|blockiert|aufgeschoben|ausgesetzt|vertagt|wartet|wartend|später|en attente|reportée?s?|en pause|bloquée?s?|suspendue?s?|différée?s?|plus tard
    |en espera|em espera|aplazad[oa]s?|pospuest[oa]s?|en pausa|pausad[oa]s?|bloquead[oa]s?|suspendid[oa]s?|suspens[oa]s?|adiad[oa]s?|más tarde|mais tarde
    |отложен[оаы]?|приостановлен[оаы]?|заблокирован[оаы]?|на паузе|в ожидании|ожидает|перенесен[оаы]?|позже|已?暂停|已?暫停|已?搁置|已?擱置|已?推迟|已?推遲|已?延期|暂缓|暫緩|阻塞|受阻|等待中?
    |保留|保留中|延期|中断|停止中|待ち|보류|보류 중|보류됨|연기|연기됨|대기|대기 중|차단|차단됨|중지|중지됨`,
};

const listed = (standing: Standing) => `(?:${WORDS[standing].replaceAll(/\n */g, '')})`;
const STANDINGS: readonly Standing[] = ['done', 'dropped', 'held'];

const WHOLE = STANDINGS.map((standing) => [standing, new RegExp(`^${listed(standing)}$`, 'iu')] as const);

const HELD_SIGN = /^(?:⏸|⏭)\uFE0F?|(?:⏸|⏭)\uFE0F?$/u;

/** What a word, or a few, say alone: the name of a section, what a cell holds. */
export function standingOf(words: string): Standing | null {
  const plain = words
    .slice(0, 80)
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '')
    .toLowerCase();
  const sign = plain === '' && HELD_SIGN.test(words.trim()) ? 'held' : null;
  return WHOLE.find(([, pattern]) => pattern.test(plain))?.[0] ?? sign;
}

/** Words that name a section by what it speaks of as often: a stage, a part of a changelog. */
const SPEAKS_OF = /^(?:closed|merged|released|delivered|achieved|moved|waiting)$/;

/** What stands beside "later" in the name of a section: "Later / maybe". */
const PERHAPS = /^(?:maybe|perhaps|one day|some day|eventually|not now|ideas?|nice to have|if time)$/i;

/** What the name of a section says of all that stands in it. */
export function standingOfSection(name: string): Standing | null {
  if (SPEAKS_OF.test(name.toLowerCase().replace(/^\P{L}+|\P{L}+$/gu, ''))) return null;
  const whole = standingOf(name);
  const parts = name.slice(0, 80).split(/[/,&|]|\s(?:and|or)\s/);
  if (whole !== null || parts.length < 2) return whole;
  const isHeld = (part: string): boolean => standingOf(part) === 'held';
  return parts.some(isHeld) && parts.every((part) => isHeld(part) || PERHAPS.test(part.trim()))
    ? 'held'
    : null;
}

const OPEN = String.raw`[([（【]\s{0,2}(?:status\s?[:：]\s?)?`;
const CLOSE = String.raw`\s{0,2}[)\]）】]`;
/** What may follow the word: why, until when. A number that blocks is waited for by its goal. */
const MORE = String.raw`(?:(?:\s?[:：,，;–—-]|\s(?:until|till|to|for|pending|since|on|by|because|due|bis|auf|wegen|jusqu|à|hasta|por|a|até|para|до|на)(?=[\s’']))[^()[\]（）【】]{0,60})?`;
const BESIDE = STANDINGS.map((standing) => {
  const word =
    standing === 'done' ? listed(standing) : `${listed(standing)}(?! by \\W?(?:#|\\d+\\.\\d|[A-Z]+-?\\d))`;
  const remark = `${OPEN}(${word}${standing === 'held' ? MORE : ''})${CLOSE}`;
  return [
    standing,
    new RegExp(`^${remark}\\s{0,2}(?=[^\\s:(])|(?:^|\\S)\\s{0,2}${remark}[.。]?$`, 'iu'),
  ] as const;
});
/** All of what marks may mean, one after the other: "green (done), red (blocked)". */
const LEGEND = new RegExp(`${OPEN}(?:${STANDINGS.map(listed).join('|')})${CLOSE}.{1,80}${OPEN}`, 'iu');
/** "CANCELLED: the gate": a name that is not written so tells what something is called. */
const SHOUTED = /^([\p{Lu}\s]{4,24})[:：]\s+\S/u;

/** "Pay – deferred until May". */
const BEHIND_DASH = /\S\s+[–—-]{1,2}\s+([^–—:()]{2,40}?)[.。]?$/u;

const NO_SIGN = /^(?:❌|🚫|⛔)\uFE0F?|(?:❌|🚫|⛔)\uFE0F?$/u;

/** What a piece of work says of itself: its standing, and the mark or the words that say so. */
export interface Marked {
  readonly standing: Standing;
  readonly said: string;
}

/**
 * Returns what the name of a piece of work says of it in brackets before or behind it, in capitals before a colon, or by a sign;
 * null where it says nothing.
 * @param hasTicks whether the document ticks what is done: a cross says there what is not yet
 */
export function standingBeside(name: string, hasTicks: boolean): Marked | null {
  const text = name.length > 400 ? `${name.slice(0, 200)} ${name.slice(-200)}` : name;
  if (LEGEND.test(text)) return null;
  for (const [standing, pattern] of BESIDE) {
    const [, before, behind] = pattern.exec(text) ?? [];
    const said = before ?? behind;
    if (said !== undefined) return { standing, said };
  }
  const last = BEHIND_DASH.exec(text.slice(-60))?.[1] ?? '';
  const dashed = standingOfSection(last.split(/ (?:by|until|till|for|on) /i)[0] ?? '');
  if (dashed !== null) return { standing: dashed, said: last };
  const shouted = SHOUTED.exec(text)?.[1] ?? '';
  const standing = standingOf(shouted);
  if (standing !== null) return { standing, said: shouted.trim() };
  const sign = HELD_SIGN.exec(text) ?? (hasTicks ? null : NO_SIGN.exec(text));
  return sign === null ? null : { standing: 'held', said: sign[0] };
}

/** What the mark in a box means that is not ticked: "-" cancelled, ">" moved; what is begun is open. */
const BOXES: Readonly<Record<string, string>> = { '-': 'cancelled', '>': 'moved' };

/** Returns what keeps the work from being done whose box holds a mark; undefined for any other box. */
export function heldByBox(mark: string): string | undefined {
  const meaning = BOXES[mark];
  return meaning === undefined ? undefined : `[${mark}] ${meaning}`;
}
