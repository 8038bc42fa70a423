/** Estimates the width of a 12 px text in px without layout: precise enough to keep labels apart. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += /[\u2e80-\uffef]/.test(char) ? 12 : /[.,:\s]/.test(char) ? 3.6 : 7
  return Math.ceil(width)
}
