import { parseBusUrl, type BusServers } from './cluster/busUrl.ts'
import { isThisMachine } from './settingValues.ts'

const databaseSettings = ['DATABASE_URL', 'DATABASE_OWNER_URL'] as const

type Connections = {
  [name in (typeof databaseSettings)[number] | 'BUS_URL']?: string | undefined
} & { INTERNAL_TLS: 'required' | 'off' }

/**
 * The setting of a database or bus beyond this machine whose connection is plain, or whose certificate is not
 * checked, or of a bus that does not authenticate its nodes, and what it must be; undefined if there is none.
 */
export function findUnsafeConnection(settings: Connections): string | undefined {
  const bus = settings.BUS_URL === undefined ? null : parseBusUrl(settings.BUS_URL)
  const isTlsNeeded = settings.INTERNAL_TLS === 'required'
  const database = databaseSettings.find((name) => isPlainDatabase(settings[name]))
  if (isTlsNeeded && database !== undefined)
    return `${database} must have sslmode=verify-full beyond this machine, or INTERNAL_TLS be off,`
  if (isTlsNeeded && bus && isPlainBus(bus))
    return 'BUS_URL must begin with tls:// beyond this machine, or INTERNAL_TLS be off,'
  return bus && !identifiesNode(bus)
    ? 'BUS_URL must have a user and password, nkey=FILE or credentials=FILE'
    : undefined
}

function isPlainDatabase(address: string | undefined): boolean {
  if (address === undefined) return false
  const { hostname, searchParams } = new URL(address)
  // As pg reads it: the host may be a parameter, and a path is a socket of this machine.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || isThisMachine(host)) return false
  return searchParams.get('sslmode') !== 'verify-full'
}

const isPlainBus = ({ servers, isTls }: BusServers): boolean =>
  !isTls && !servers.every((server) => isThisMachine(server.replace(/:\d+$/, '')))

/** A token does not say which node it is: it is the same for everybody. */
const identifiesNode = ({ credentials: { kind } }: BusServers): boolean => kind !== 'none' && kind !== 'token'
