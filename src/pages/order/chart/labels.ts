const gap = 8

/** The centres of up to two labels, as close to `centres` as they fit beside each other in `width`; all in px. */
export function labelCentres(
  centres: readonly number[],
  texts: readonly string[],
  width: number,
): readonly number[] {
  const [first, second] = centres
  const [a = 0, b = 0] = texts.map((text) => textWidth(text) / 2)
  if (first === undefined) return []
  if (second === undefined) return [Math.min(width - a, Math.max(a, first))]
  return separateLabels([first, second], a + b + gap, { min: a, max: width - b })
}

/** Moves two label centres apart if the labels would overlap, and keeps both within `min` and `max`. */
export function separateLabels(
  [a, b]: readonly [number, number],
  distanceMin: number,
  { min, max }: { min: number; max: number },
): [number, number] {
  const clamp = (x: number, least: number, most: number) => Math.min(most, Math.max(least, x))
  const push = Math.max(0, distanceMin - (b - a)) / 2
  const left = clamp(a - push, min, max - distanceMin)
  return [left, clamp(b + push, left + distanceMin, max)]
}

/** Estimates the width of a 12 px text in px without layout: precise enough to keep labels apart. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += /[\u2e80-\uffef]/.test(char) ? 12 : /[.,:\s]/.test(char) ? 3.6 : 7
  return Math.ceil(width)
}
