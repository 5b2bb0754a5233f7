/**
 * The fewest rounds in which every call of a tree can be made, `places` calls a round, a goal's call after its
 * parent's: those from any level down must wait for a round for each level above them, and then there are so many to
 * a round. The rounds are attained by asking first about the goals with the most levels below them.
 * @param {readonly number[]} depths how deep each goal is that is asked about, the root being at 0
 * @param {number} places calls at once
 */
export function fewestRounds(depths, places) {
  const levels = Math.max(...depths) + 1;
  const bounds = Array.from({ length: levels }, (_, level) => {
    const below = depths.filter((depth) => depth >= level).length;
    return level + Math.ceil(below / places);
  });
  return Math.max(...bounds);
}
