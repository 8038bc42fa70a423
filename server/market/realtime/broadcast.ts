import { tickEvents, type TickEncoding } from '../../../contract/tickFrame.ts'
import type { Flush, Market } from '../ports.ts'
import { encodeFrame } from './encodedFrame.ts'
import { createFeedTexts, createTickerTexts, type TickerTexts } from './heartbeatTexts.ts'
import type { SocketClient } from './socketClient.ts'
import type { SubscriptionGroup, SubscriptionGroups } from './subscriptionGroups.ts'
import { encodeTickFrames, type Block } from './tickFrames.ts'

/** Publishes events to all clients: encoded once per subscription group, from parts that are encoded once per product. */
export type Broadcast = {
  /** The ticks of a flush. In mode `latest` the newest tick of each product, at most four times a second. */
  publishTicks(flush: Flush): void
  /**
   * The tickers that changed since the last call, then every product's feed state. In mode `latest` the tickers are sent
   * at every second call, with only the fields that changed, and the feed state only if the product is not live.
   */
  publishHeartbeat(at: number): void
  /** Sends a client the ticks that its group has not sent yet, before its subscriptions change. */
  sendUnsent(client: SocketClient): void
}

export function createBroadcast(market: Market, groups: SubscriptionGroups): Broadcast {
  const beginRound = createTickerTexts(market)
  const beginLatestRound = createTickerTexts(market)
  let isLatestDue = true
  let flushedAt = market.flushedAt()
  const writeTicks = (
    encoding: TickEncoding,
    clients: Iterable<SocketClient>,
    blocks: readonly Block[],
  ): void => {
    const { event } = tickEvents[encoding]
    for (const frame of encodeTickFrames(encoding, flushedAt, blocks))
      writeAll(clients, event, `[${frame.join(',')}]`)
  }
  return {
    publishTicks: (flush) => {
      flushedAt = flush.at
      for (const group of groups.all()) writeTicks(group.tickEncoding, group.clients, blocksFor(group, flush))
    },
    publishHeartbeat: (at) => {
      const tickerTexts = { all: beginRound(), latest: isLatestDue ? beginLatestRound() : null }
      isLatestDue = !isLatestDue
      const feedText = createFeedTexts(market)
      for (const group of groups.all()) {
        // A heartbeat follows the ticks up to the state that it describes.
        writeTicks(group.tickEncoding, group.clients, group.latestTicks.takeAll(flushedAt))
        publishTickers(group, at, tickerTexts)
        const feeds = [...group.subscriptions.values()]
          .map(({ id, mode }) => feedText(id, mode))
          .filter((text) => text !== null)
        writeAll(group.clients, 'feed', `{"at":${at},"p":{${feeds.join(',')}}}`)
      }
    },
    sendUnsent: (client) => {
      const unsent = groups.of(client)?.latestTicks.peek() ?? []
      writeTicks(client.tickEncoding, [client], unsent)
    },
  }
}

function writeAll(clients: Iterable<SocketClient>, event: string, json: string): void {
  const frame = encodeFrame(event, json)
  for (const client of clients) client.write(frame)
}

/** What a group gets of a flush: all ticks in mode `all`, and the newest of mode `latest` if they are due. */
function blocksFor({ modes, latestTicks }: SubscriptionGroup, flush: Flush): Block[] {
  const blocks: Block[] = []
  for (const block of flush.blocks) {
    const mode = modes.get(block.ix)
    if (mode === 'all') blocks.push(block)
    else if (mode === 'latest') latestTicks.add(block)
  }
  return [...blocks, ...latestTicks.takeDue(flush.at)]
}

type RoundTexts = { all: (id: string) => TickerTexts; latest: ((id: string) => TickerTexts) | null }

/** In mode `latest`, clients that joined since the last round get whole tickers, the others what changed. */
function publishTickers(group: SubscriptionGroup, at: number, texts: RoundTexts): void {
  const { clients, newClients } = group
  const subscriptions = [...group.subscriptions.values()]
  const publish = (to: Iterable<SocketClient>, isNew: boolean): void => {
    const tickers = subscriptions.flatMap(({ id, mode }) => {
      const ticker = texts[mode]?.(id)
      if (ticker === undefined) return []
      if (mode === 'latest' && isNew) return [ticker.whole]
      if (!ticker.isChanged) return []
      return [mode === 'all' ? ticker.whole : ticker.changes]
    })
    if (tickers.length > 0) writeAll(to, 'figures', `{"at":${at},"f":[${tickers.join(',')}]}`)
  }
  if (texts.latest === null || newClients.size === 0) publish(clients, false)
  else {
    publish(newClients, true)
    const others = [...clients].filter((client) => !newClients.has(client))
    if (others.length > 0) publish(others, false)
    newClients.clear()
  }
}
