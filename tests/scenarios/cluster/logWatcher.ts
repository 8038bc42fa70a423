import { setTimeout as wait } from 'node:timers/promises'
import { parseCheckpoint, type Checkpoint } from '../../../contract/tlog/checkpoint.ts'
import { isContinued } from '../../../contract/tlog/continuation.ts'
import { parseNote } from '../../../contract/tlog/note.ts'
import { tilePath } from '../../../contract/tlog/tiles.ts'
import type { ClusterNode } from './cluster.ts'

/** Reads the checkpoint of the public log at every edge, again and again. */
export type LogWatcher = {
  /** Where the log went back, forked or got another name. Reads until the log has grown once more. */
  end(): Promise<string[]>
  /** Reads no longer, after `end` or instead of it. */
  close(): void
}

const pollMs = 100

export function watchLog({ edges }: { edges: () => ClusterNode[] }): LogWatcher {
  const seen = new Map<string, Checkpoint>()
  const newestAt = new Map<string, Checkpoint>()
  const violations: string[] = []
  const state = { isEnding: false, isClosed: false }

  const readAt = async (url: string): Promise<void> => {
    const note = await fetchText(`${url}/log/checkpoint`)
    if (note === null) return
    const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '')
    if (checkpoint === null) throw new Error(`no checkpoint: ${note}`)
    const before = newestAt.get(url)
    if (before && checkpoint.size < before.size)
      violations.push(`${url} went back from ${before.size} to ${checkpoint.size}`)
    newestAt.set(url, checkpoint)
    seen.set(`${checkpoint.origin} ${checkpoint.size} ${checkpoint.root.join()}`, checkpoint)
  }
  const sizeOf = (checkpoints: Iterable<Checkpoint>): number =>
    Math.max(0, ...[...checkpoints].map(({ size }) => size))
  const watching = (async (): Promise<void> => {
    let sizeAtEnd: number | null = null
    while (!state.isClosed && (sizeAtEnd === null || sizeOf(seen.values()) <= sizeAtEnd)) {
      for (const { url } of edges()) await readAt(url)
      if (state.isEnding) sizeAtEnd ??= sizeOf(seen.values())
      await wait(pollMs)
    }
  })()
  // Who ends it gets the error.
  watching.catch(() => undefined)
  return {
    end: async () => {
      state.isEnding = true
      await watching
      const all = [...seen.values()].toSorted((a, b) => a.size - b.size)
      const names = new Set(all.map(({ origin }) => origin))
      if (names.size > 1) violations.push(`the log had the names ${[...names].join()}`)
      const newest = all.at(-1)
      const [edge] = edges()
      if (newest === undefined || edge === undefined) return ['no checkpoint was ever read']
      for (const earlier of all)
        if ((await isContinued(earlier, newest, (tile) => fetchTile(edge, tilePath(tile)))) !== true)
          violations.push(`the tree of ${newest.size} does not continue that of ${earlier.size}`)
      return violations
    },
    close: () => void (state.isClosed = true),
  }
}

/** Null while the edge is away, or the venue has no leader. */
async function fetchText(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url)
    return answer.ok ? await answer.text() : null
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

async function fetchTile({ url }: ClusterNode, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`${url}/log/${path}`)
  if (!answer.ok) throw new RangeError(`${path} answered ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}
