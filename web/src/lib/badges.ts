/** The marks on the pawns of a table: as short as they can be, and never the same twice. */

const letters = (name: string): string[] => Array.from(name.replace(/\s+/gu, ""));
const initial = (name: string): string => (letters(name)[0] ?? "").toUpperCase();
/** The first letter of the second word, else the second letter. */
const second = (name: string): string => Array.from(name.trim().split(/\s+/u)[1] ?? "")[0] ?? letters(name)[1] ?? "";

/** Ways to tell names with the same initial apart, the most natural one first. */
function* ways(names: readonly string[]): Generator<string[]> {
  yield names.map(second);
  const longest = Math.max(...names.map((name) => letters(name).length));
  for (let place = 1; place < longest; place++) yield names.map((name) => letters(name)[place] ?? "");
}

const key = (marks: readonly string[]): string[] => marks.map((mark) => mark.toLocaleLowerCase());

/** One mark for each seat: the initial where it is enough, else a second letter or, for equal names, the number of the seat. */
export function badges(names: readonly string[]): string[] {
  const marks = names.map((name, seat) => initial(name) || String(seat + 1));
  for (const mark of new Set(marks)) {
    const seats = marks.flatMap((other, seat) => (other === mark ? [seat] : []));
    if (seats.length < 2) continue;
    const group = seats.map((seat) => names[seat] ?? "");
    const apart = [...ways(group)].find((each) => new Set(key(each)).size === group.length);
    seats.forEach((seat, place) => (marks[seat] = mark + (apart?.[place] ?? String(seat + 1))));
  }
  return marks;
}
