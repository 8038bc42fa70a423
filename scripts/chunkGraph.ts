import type { Rolldown } from 'vite'

/** The paths of a chunk and all it imports at once, as the page would ask for them. */
export function filesWith(start: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>()
  const visit = (fileName: string): void => {
    const chunk = bundle[fileName]
    if (chunk?.type !== 'chunk' || found.has(fileName)) return
    found.add(fileName)
    for (const next of chunk.imports) visit(next)
  }
  visit(start.fileName)
  return [...found].map((fileName) => `/${fileName}`)
}
