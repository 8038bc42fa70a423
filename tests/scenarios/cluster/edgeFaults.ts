import { blackBoxClient, password } from '../../support/blackBoxClient.ts'
import type { Cluster, ClusterNode } from './cluster.ts'
import type { FaultRun, EdgeFault } from './faultRun.ts'
import { openWatchers, type Watchers } from './watchers.ts'

export async function applyToEdges(fault: EdgeFault, { cluster, watchers, report }: FaultRun): Promise<void> {
  switch (fault) {
    case 'edge': {
      // The eldest: each is killed in its turn.
      const edge = eldest(cluster.edges())
      const back = watchers.backFrom(edge.url)
      await edge.end('SIGKILL')
      report.backMs.push(...(await back))
      return
    }
    case 'logout':
      report.logoutMs.push(await logOut(cluster))
      return
    case 'rolling':
      return replaceAll(cluster, watchers)
  }
}

function eldest(nodes: readonly ClusterNode[]): ClusterNode {
  const [first] = nodes
  if (!first) throw new Error('no edge runs')
  return first
}

async function replaceAll(cluster: Cluster, watchers: Watchers): Promise<void> {
  const leader = await cluster.leader()
  for (const standby of cluster.candidates()) {
    if (standby === leader) continue
    await standby.end('SIGTERM')
    await cluster.startCandidate()
  }
  for (const edge of cluster.edges()) {
    await edge.end('SIGTERM')
    await cluster.startEdge()
    await watchers.allBack()
  }
  await leader.end('SIGTERM')
  await cluster.startCandidate()
}

/** @returns how long after a logout at one edge the member's socket at the other one ended, ms */
async function logOut(cluster: Cluster): Promise<number> {
  const [here, there] = cluster.edges()
  if (!here || !there) throw new Error('two edges are needed')
  const client = blackBoxClient(here.url)
  await client.login('trader_0', password)
  const sockets = openWatchers({ edges: () => [there] }, 1, () => 0, client.session.cookie)
  try {
    await sockets.allBack()
    const ended = sockets.sessionEnded()
    const startedAt = performance.now()
    const answer = await client.call('POST', '/api/auth/logout')
    if (answer.status >= 300) throw new Error(`log-out: ${answer.text}`)
    await ended
    return performance.now() - startedAt
  } finally {
    sockets.close()
  }
}
