import type { Language } from '../../../contract/constants.ts'

type Text = { id: string | undefined; language: Language; title: string; body: string }

/** The Markdown file with front matter that the venue takes; with an `id` it adds or replaces one language. */
export function articleFile({ id, language, title, body }: Text): string {
  const oneLine = title.replaceAll(/\s+/g, ' ').trim()
  const head = [...(id === undefined ? [] : [`id: ${id}`]), `lang: ${language}`, `title: ${oneLine}`]
  return `---\n${head.join('\n')}\n---\n${body}\n`
}
