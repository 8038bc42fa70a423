import { withOneStop } from '../../../contract/oneStop.ts'

/** What the texts may refer to: values, and conditions for parts of the text. */
export type TemplateContext = { values: Record<string, string>; conditions: Record<string, boolean> }

/** Lines between `{{#name}}` and `{{/name}}` on separate lines; then the same within a line. */
const blocks = /^\{\{#(\w+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}(?:\n|$)/gm
const inlines = /\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/g

/**
 * Replaces `{{name}}` with its value and keeps or removes `{{#name}}…{{/name}}`.
 * @throws if a text refers to an unknown name: better at the start than when a member reads it
 */
export function renderTemplate(text: string, { values, conditions }: TemplateContext): string {
  const resolveBlock = (_match: string, name: string, part: string): string => {
    const holds = conditions[name]
    if (holds === undefined) throw new Error(`A text refers to the unknown condition ${name}.`)
    return holds ? part : ''
  }
  const resolved = text.replace(blocks, resolveBlock).replace(inlines, resolveBlock)
  const rendered = resolved.replace(/\{\{(.*?)\}\}/g, (_match, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A text refers to the unknown value ${name}.`)
    return value
  })
  return withOneStop(rendered, Object.values(values))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
