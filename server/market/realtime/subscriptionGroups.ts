import type { SubscribeMode } from '../../../contract/socket.ts'
import type { TickEncoding } from '../../../contract/tickFrame.ts'
import { LatestTicks } from './latestTicks.ts'
import type { SocketClient } from './socketClient.ts'

/** A subscribed product: its id, its venue-wide number, and the mode. */
export type Subscription = { id: string; ix: number; mode: SubscribeMode }

/** All clients that subscribe to the same products in the same modes and tick encoding: they receive the same bytes. */
export type SubscriptionGroup = {
  readonly tickEncoding: TickEncoding
  readonly modes: ReadonlyMap<number, SubscribeMode>
  readonly subscriptions: ReadonlyMap<string, Subscription>
  readonly clients: ReadonlySet<SocketClient>
  /** Clients that joined since tickers of mode `latest` were last sent: they lack what the next changes refer to. */
  readonly newClients: Set<SocketClient>
  readonly latestTicks: LatestTicks
}

export type SubscriptionGroups = {
  /** Adds products to a client's subscriptions; for a product it already has, the newer mode counts. */
  subscribe(client: SocketClient, added: readonly Subscription[]): void
  unsubscribe(client: SocketClient, ids: readonly string[]): void
  remove(client: SocketClient): void
  of(client: SocketClient): SubscriptionGroup | undefined
  /** The groups with at least one client. */
  all(): Iterable<SubscriptionGroup>
}

type MutableGroup = SubscriptionGroup & { key: string; clients: Set<SocketClient> }

export function createSubscriptionGroups(): SubscriptionGroups {
  const groups = new Map<string, MutableGroup>()
  const groupOf = new Map<SocketClient, MutableGroup>()

  const remove = (client: SocketClient): void => {
    const group = groupOf.get(client)
    if (!group) return
    groupOf.delete(client)
    group.clients.delete(client)
    group.newClients.delete(client)
    if (group.clients.size === 0) groups.delete(group.key)
  }
  const assign = (client: SocketClient, subscriptions: Map<string, Subscription>): void => {
    remove(client)
    if (subscriptions.size === 0) return
    const sorted = [...subscriptions.values()].sort((a, b) => a.ix - b.ix)
    const { tickEncoding } = client
    const products = sorted.map(({ ix, mode }) => (mode === 'all' ? `${ix}` : `${ix}l`))
    const key = [tickEncoding, ...products].join(' ')
    const group = groups.get(key) ?? {
      key,
      tickEncoding,
      modes: new Map(sorted.map(({ ix, mode }) => [ix, mode])),
      subscriptions: new Map(sorted.map((subscription) => [subscription.id, subscription])),
      clients: new Set<SocketClient>(),
      newClients: new Set<SocketClient>(),
      latestTicks: new LatestTicks(),
    }
    groups.set(key, group)
    group.clients.add(client)
    group.newClients.add(client)
    groupOf.set(client, group)
  }

  return {
    subscribe: (client, added) => {
      const subscriptions = new Map(groupOf.get(client)?.subscriptions)
      for (const product of added) subscriptions.set(product.id, product)
      assign(client, subscriptions)
    },
    unsubscribe: (client, ids) => {
      const subscriptions = new Map(groupOf.get(client)?.subscriptions)
      for (const id of ids) subscriptions.delete(id)
      assign(client, subscriptions)
    },
    remove,
    of: (client) => groupOf.get(client),
    all: () => groups.values(),
  }
}
