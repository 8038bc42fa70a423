import type { Rolldown } from 'vite'

/** The URL paths of a chunk and of everything it imports statically. */
export function filesWith(start: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const visited = new Set<string>()
  const visit = (fileName: string): void => {
    const chunk = bundle[fileName]
    if (chunk?.type !== 'chunk' || visited.has(fileName)) return
    visited.add(fileName)
    for (const next of chunk.imports) visit(next)
  }
  visit(start.fileName)
  return [...visited].map((fileName) => `/${fileName}`)
}
