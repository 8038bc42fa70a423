/** What the standing texts may name: words and figures, and whether a part of the text holds at all. */
export type TemplateContext = { values: Record<string, string>; conditions: Record<string, boolean> }

/** Lines between `{{#name}}` and `{{/name}}` on lines of their own; and the same within a line. */
const blocks = /^\{\{#(\w+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}(?:\n|$)/gm
const inlines = /\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/g

/**
 * Fills `{{name}}` and keeps or drops `{{#name}}…{{/name}}`.
 * @throws where a text names something that there is not: better at the start than before a member's eyes
 */
export function renderTemplate(text: string, { values, conditions }: TemplateContext): string {
  const resolveBlock = (_all: string, name: string, part: string): string => {
    const isKept = conditions[name]
    if (isKept === undefined) throw new Error(`A text asks whether ${name} holds.`)
    return isKept ? part : ''
  }
  const resolved = text.replace(blocks, resolveBlock).replace(inlines, resolveBlock)
  const rendered = resolved.replace(/\{\{(.*?)\}\}/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A text names ${name}, which there is not.`)
    return value
  })
  return rendered.replace(/\n{3,}/g, '\n\n').trim()
}
