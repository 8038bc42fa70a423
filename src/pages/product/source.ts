/** The day a replayed recording comes from, as its source names it: `2019-02-04`; undefined where it names none. */
export function replayDay(source: string): string | undefined {
  return /\b(\d{4}-\d{2}-\d{2})\b/.exec(source)?.[1]
}
