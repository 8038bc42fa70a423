import { faultProxy } from './faultProxy.ts'
import { openOwnPostgres, type OwnPostgres } from './ownPostgres.ts'

/** Two PostgreSQL servers, a primary and its synchronous replica, behind one address that moves from one to the other. */
export type PostgresPair = {
  /** The address, of the primary's database `postgres`. */
  readonly url: string
  /**
   * Ends the primary for good, promotes the replica, moves the address to it and gives it a replica of its own.
   * @param isSilent as if the machine were gone: the connections to it stay open, and nothing passes any more
   */
  failOver(isSilent?: boolean): Promise<void>
  close(): Promise<void>
}

export async function openPostgresPair(): Promise<PostgresPair> {
  let primary = await openOwnPostgres()
  let replica = await primary.openReplica()
  const ended: OwnPostgres[] = []
  const address = await faultProxy(primary.port)
  return {
    url: Object.assign(new URL(primary.url), { port: String(address.port) }).href,
    failOver: async (isSilent = false) => {
      if (isSilent) address.stall()
      await primary.kill()
      ended.push(primary)
      await replica.promote()
      address.moveTo(replica.port)
      primary = replica
      replica = await primary.openReplica()
    },
    close: async () => {
      await address.close()
      for (const server of [replica, primary, ...ended]) await server.close()
    },
  }
}
