import { setTimeout as wait } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { decodeTicks } from '../../../contract/tickFrame.ts'
import type { SubscribeReply } from '../../../contract/socket.ts'
import { blackBoxClient } from '../../support/blackBoxClient.ts'
import type { ClusterNode } from './cluster.ts'

/** Sockets that watch the product TEST, and connect elsewhere when their edge goes, as behind a balancer. */
export type Watchers = {
  /** Resolves when every socket is subscribed. */
  allBack(): Promise<void>
  /** Waits until every socket of this edge is subscribed elsewhere. @returns how long each took from the loss on, ms */
  backFrom(url: string): Promise<number[]>
  /** Resolves when a socket is told that its session has ended, and is closed. */
  sessionEnded(): Promise<void>
  /** Reads what the sockets missed while they were away, and counts what is still missing. */
  counts(): Promise<{ ticks: number; missing: number; doubled: number; lostSockets: number }>
  close(): void
}

/** The client's own first pause lies between half of this and one and a half. */
const reconnectMs = 500
const retryMs = 20
const ticksPerCall = 1000

type Watcher = {
  socket: Socket | null
  edge: ClusterNode | null
  last: number | null
  isBack: boolean
  backAt: number
}
/** Ticks after `from` up to `to`, which a socket missed while it was away. */
type Missed = { from: number; to: number }

/** @param cluster has the edges that run; a balancer knows them */
export function openWatchers(
  { edges }: { edges: () => ClusterNode[] },
  count: number,
  random: () => number,
  cookie = '',
): Watchers {
  const missed: Missed[] = []
  const counted = { ticks: 0, missing: 0, doubled: 0, lostSockets: 0 }
  let onSessionEnd = (): void => undefined
  let isClosed = false

  const receive = (watcher: Watcher, seq0: number, n: number): void => {
    if (watcher.last === null) return
    counted.ticks += n
    counted.missing += Math.max(0, seq0 - watcher.last - 1)
    counted.doubled += Math.max(0, watcher.last + 1 - seq0)
    watcher.last = seq0 + n - 1
  }
  const onReply = (watcher: Watcher, reply: SubscribeReply): number => {
    if (!reply.ok) throw new Error(`subscribing failed: ${reply.code}`)
    const seq = reply.heads['TEST']?.seq ?? 0
    if (watcher.last !== null && seq > watcher.last) missed.push({ from: watcher.last, to: seq })
    // An edge may be behind the one before: then the socket gets ticks again that it has, as after any new subscription.
    watcher.last = seq
    watcher.isBack = true
    watcher.backAt = performance.now()
    return reply.index['TEST'] ?? -1
  }
  const connect = (watcher: Watcher, index: number): void => {
    if (isClosed) return
    const all = edges()
    const edge = all[index % all.length] ?? null
    watcher.edge = edge
    const socket = io(edge?.url ?? '', {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      ...(cookie !== '' && { extraHeaders: { cookie } }),
    })
    watcher.socket = socket
    let ix = -1
    const again = (): void => {
      watcher.isBack = false
      socket.disconnect()
      setTimeout(() => connect(watcher, index + 1), reconnectMs * (0.5 + random()))
    }
    socket.once('connect_error', again)
    socket.once('disconnect', () => {
      if (watcher.isBack && edge?.isEnding() === false && !isClosed) counted.lostSockets += 1
      again()
    })
    socket.once('session', () => onSessionEnd())
    socket.on('ticks', (data: unknown) => {
      for (const block of decodeTicks(data)?.blocks ?? [])
        if (block.ix === ix) receive(watcher, block.seq0, block.values.length / 3)
    })
    socket.once('hello', () =>
      socket.emit('subscribe', { products: ['TEST'], mode: 'all' }, (reply: SubscribeReply) => {
        ix = onReply(watcher, reply)
      }),
    )
  }
  const watchers = Array.from({ length: count }, (_, i): Watcher => {
    const watcher = { socket: null, edge: null, last: null, isBack: false, backAt: 0 }
    connect(watcher, i)
    return watcher
  })
  const allBack = async (): Promise<void> => {
    while (watchers.some(({ isBack }) => !isBack)) await wait(retryMs)
  }
  return {
    allBack,
    backFrom: async (url) => {
      const lost = watchers.filter(({ edge }) => edge?.url === url)
      const startedAt = performance.now()
      while (lost.some(({ isBack, edge }) => !isBack || edge?.url === url)) await wait(retryMs)
      return lost.map(({ backAt }) => backAt - startedAt)
    },
    sessionEnded: () => new Promise((resolve) => (onSessionEnd = resolve)),
    counts: async () => {
      const url = edges()[0]?.url ?? ''
      for (const { from, to } of missed.splice(0)) counted.missing += await stillMissing(url, from, to)
      return counted
    },
    close: () => {
      isClosed = true
      for (const { socket } of watchers) socket?.disconnect()
    },
  }
}

type TicksAnswer = { ticks: [seq: number][] }

async function stillMissing(url: string, from: number, to: number): Promise<number> {
  const client = blackBoxClient(url)
  let last = from
  while (last < to) {
    const answer = await client.get<TicksAnswer>(
      `/api/products/TEST/ticks?afterSeq=${last}&limit=${ticksPerCall}`,
    )
    if (answer.status !== 200) throw new Error(`ticks: ${answer.text}`)
    const seqs = answer.body.ticks.map(([seq]) => seq)
    if (seqs[0] !== last + 1) return to - last
    last = seqs.at(-1) ?? to
  }
  return 0
}
