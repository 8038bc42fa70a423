/** What the standing texts may name: words and figures, and whether a part of the text holds at all. */
export type Facts = { words: Record<string, string>; holds: Record<string, boolean> }

/** Lines between `{{#name}}` and `{{/name}}` on lines of their own; and the same within a line. */
const blocks = /^\{\{#(\w+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}(?:\n|$)/gm
const inlines = /\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/g

/**
 * Fills `{{name}}` and keeps or drops `{{#name}}…{{/name}}`.
 * @throws where a text names something that there is not: better at the start than before a member's eyes
 */
export function fill(text: string, { words, holds }: Facts): string {
  const keep = (_all: string, name: string, part: string): string => {
    const keeps = holds[name]
    if (keeps === undefined) throw new Error(`A text asks whether ${name} holds.`)
    return keeps ? part : ''
  }
  const kept = text.replace(blocks, keep).replace(inlines, keep)
  const filled = kept.replace(/\{\{(.*?)\}\}/g, (_all, name: string) => {
    const word = words[name]
    if (word === undefined) throw new Error(`A text names ${name}, which there is not.`)
    return word
  })
  return filled.replace(/\n{3,}/g, '\n\n').trim()
}
