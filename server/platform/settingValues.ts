import { parseBusUrl } from './cluster/busUrl.ts'
import type { TrustProxy } from './http/clientAddress.ts'

export function isBareOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return /^https?:$/.test(url.protocol) && isBare
}

export function isPostgresUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value)
}

export function isBusUrl(value: string): boolean {
  try {
    parseBusUrl(value)
    return true
  } catch {
    return false
  }
}

export function isTrustProxy(value: string): boolean {
  return (
    /^(on|off|true|false|\d)$/i.test(value) ||
    value.split(',').every((part) => /^[\da-f.:/]+$|^loopback$/i.test(part.trim()))
  )
}

/** `on` and `true` mean one proxy, a digit is the number of proxies, anything else lists their addresses. */
export function parseTrustProxy(value: string): TrustProxy {
  if (/^(off|false|0)$/i.test(value)) return false
  if (/^(on|true)$/i.test(value)) return 1
  return /^\d$/.test(value) ? Number(value) : value.split(',').map((part) => part.trim())
}

export function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

type Addresses = Partial<Record<'DATABASE_URL' | 'DATABASE_OWNER_URL', string | undefined>>

/**
 * After a restore an operator may change only one of the addresses. The tables would then be created in one database
 * and another one be used.
 */
export function isSameDatabase({ DATABASE_URL: url, DATABASE_OWNER_URL: owner }: Addresses): boolean {
  if (url === undefined || owner === undefined) return true
  return new URL(url).pathname === new URL(owner).pathname
}

/** A name of at least two parts, in lower case; never a network address. */
const serviceName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/** @returns the names of push services in a list that is divided by commas; null if one of them is none */
export function parsePushServices(list: string): readonly string[] | null {
  const names = list.split(',').map((name) => name.trim().toLowerCase())
  return names.every((name) => serviceName.test(name)) ? names : null
}

/** Whether the host of an address is this machine by a name or address of the loopback. */
export const isThisMachine = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)
