import type { CDPSession } from '@playwright/test'

/** The page's memory after garbage collection. Sizes in bytes. */
export type HeapUse = {
  heap: number
  /** Machine code, bytecode and type feedback, which grow while the engine optimises hot code. */
  code: number
  /** Strings, objects, arrays, closures, numbers and array buffers: the data of the app's own code. */
  appBytes: number
  nodes: number
  listeners: number
}

type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
}

export async function measureHeap(session: CDPSession): Promise<HeapUse> {
  // The second collection frees what the first finalises.
  for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  const { code, native, all } = sizes(await snapshot(session))
  return {
    heap: usedSize + backingStorageSize,
    code,
    appBytes: all - code - native + backingStorageSize,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  }
}

async function snapshot(session: CDPSession): Promise<Snapshot> {
  const chunks: string[] = []
  const onChunk = ({ chunk }: { chunk: string }): void => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', onChunk)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', onChunk)
  return JSON.parse(chunks.join('')) as Snapshot
}

function sizes({ snapshot: { meta }, nodes }: Snapshot): { code: number; native: number; all: number } {
  const [type, size] = ['type', 'self_size'].map((field) => meta.node_fields.indexOf(field))
  const sum = { code: 0, native: 0, all: 0 }
  for (let i = 0; i < nodes.length; i += meta.node_fields.length) {
    const bytes = nodes[i + (size ?? 0)] ?? 0
    const kind = meta.node_types[0][nodes[i + (type ?? 0)] ?? 0]
    sum.all += bytes
    if (kind === 'code' || kind === 'native') sum[kind] += bytes
  }
  return sum
}
