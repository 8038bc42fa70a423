/** How a node shows the NATS server who it is. */
export type BusCredentials =
  | { kind: 'none' }
  | { kind: 'token'; token: string }
  | { kind: 'password'; user: string; password: string }
  /** A file with the seed of an nkey. */
  | { kind: 'nkey'; file: string }
  /** A file of NATS credentials: a JWT and its seed. */
  | { kind: 'file'; file: string }

export type BusServers = {
  /** `host:port` of each. */
  servers: string[]
  isTls: boolean
  credentials: BusCredentials
}

/**
 * Reads `BUS_URL`: one address or several, divided by commas, such as `tls://nats-a:4222,tls://nats-b:4222?nkey=/etc/node.nk`.
 * User and password, token, `nkey=FILE` or `credentials=FILE` may be in any one of them and hold for all.
 * @throws TypeError if it is none, or the addresses are of both kinds
 */
export function parseBusUrl(text: string): BusServers {
  const urls = text.split(',').map((each) => new URL(each.trim()))
  const protocols = new Set(urls.map(({ protocol }) => protocol))
  const [protocol] = protocols
  if (protocols.size !== 1 || (protocol !== 'nats:' && protocol !== 'tls:'))
    throw new TypeError('the addresses must all begin with nats:// or all with tls://')
  return {
    servers: urls.map(({ host }) => host),
    isTls: protocol === 'tls:',
    credentials: urls.map(credentialsOf).find(({ kind }) => kind !== 'none') ?? { kind: 'none' },
  }
}

function credentialsOf({ username, password, searchParams }: URL): BusCredentials {
  const [nkey, file] = [searchParams.get('nkey'), searchParams.get('credentials')]
  if (nkey !== null) return { kind: 'nkey', file: nkey }
  if (file !== null) return { kind: 'file', file }
  if (password !== '')
    return { kind: 'password', user: decodeURIComponent(username), password: decodeURIComponent(password) }
  return username === '' ? { kind: 'none' } : { kind: 'token', token: decodeURIComponent(username) }
}
