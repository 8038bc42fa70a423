import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

const root = resolve(import.meta.dirname, '..')

/** The URL paths of a chunk and of everything it imports statically, the chunk first. */
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

/** The URL paths of a source file's chunk and of everything it imports statically. */
export function filesOf(source: string, bundle: Rolldown.OutputBundle): string[] {
  const id = resolve(root, source)
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start =
    chunks.find((chunk) => chunk.facadeModuleId === id) ??
    chunks.find((chunk) => chunk.moduleIds.includes(id))
  if (start === undefined) throw new Error(`${source} is in no chunk`)
  return filesWith(start, bundle)
}
