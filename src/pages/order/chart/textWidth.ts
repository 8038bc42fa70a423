/** About how wide a line of 12 px is, in px, without laying it out: enough to keep labels apart. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += /[\u2e80-\uffef]/.test(char) ? 12 : /[.,:\s]/.test(char) ? 3.6 : 7
  return Math.ceil(width)
}
