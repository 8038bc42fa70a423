import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorBody, type ErrorBody } from '../../../contract/errors.ts'
import type { Method } from '../../../contract/route.ts'
import { findVenue } from '../../platform/db/lock.ts'
import { localUrl } from '../../platform/db/venueAddress.ts'
import { tokenOf, type Environment } from './session.ts'
import { UsageError } from './usageError.ts'

/** The venue rejected the request: exit code 1, with the error code on stderr. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
  readonly apiError: ErrorBody['error']

  constructor(apiError: ErrorBody['error']) {
    super(apiError.code)
    this.apiError = apiError
  }
}

export type CallRequest = { method: Method; path: string; body?: unknown }
export type VenueClient = {
  /** The answer's JSON, or the text of a file. Throws RejectedError, or UsageError if no venue answers. */
  request(call: CallRequest): Promise<unknown>
  /** A picture with its media type. */
  picture(path: string): Promise<{ type: string; data: Uint8Array }>
}

/**
 * A client of the venue at HOST and PORT, or of that in DATA_DIR: as the member of staff who is logged in, or with DESK_KEY or the key in DATA_DIR.
 * @param actor whom a request with the key names
 */
export async function createVenueClient(env: Environment, actor: string | undefined): Promise<VenueClient> {
  const base = await addressOf(env)
  const token = actor === undefined ? tokenOf(env, base) : undefined
  const headers =
    token === undefined
      ? {
          authorization: `Bearer ${keyOf(env)}`,
          ...(actor !== undefined && { 'desk-actor': encodeURIComponent(actor) }),
        }
      : { authorization: `Session ${token}` }
  const send = (call: CallRequest): Promise<Response> => sendTo(base, call, headers)
  return {
    request: async (call) => {
      const answer = await send(call)
      if (answer.headers.get('content-type')?.startsWith('text/csv') === true) return answer.text()
      if (answer.status === 204) return {}
      return answer.json().catch(() => {
        throw new UsageError(`the server at ${base} is not a venue`)
      })
    },
    picture: async (path) => {
      const answer = await send({ method: 'GET', path })
      const type = answer.headers.get('content-type') ?? ''
      return { type, data: new Uint8Array(await answer.arrayBuffer()) }
    },
  }
}

/** @throws RejectedError, UsageError if no venue answers */
export async function sendTo(
  base: string,
  { method, path, body }: CallRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(`${base}/desk${path}`, {
      method,
      headers: {
        'user-agent': 'uptick desk',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The key must not be sent to another address.
      redirect: 'error',
    })
  } catch (error) {
    const hint = 'set DATA_DIR to that of the venue, or HOST and PORT'
    throw new UsageError(`no venue answers at ${base} (${causeOf(error)}): ${hint}`)
  }
  if (!answer.ok) throw await toError(answer, base)
  return answer
}

/**
 * HOST and PORT if one of them is set; else where the venue of DATA_DIR says that it listens; else the default address.
 * @throws UsageError if they are no address, or that venue ended without stopping
 */
export async function addressOf(env: Environment): Promise<string> {
  const [host, port] = [textOf(env['HOST']), textOf(env['PORT'])]
  if (host === undefined && port === undefined) {
    const venue = await findVenue(dataDirOf(env))
    if (venue?.isRunning === true) return venue.url
    if (venue !== null)
      throw new UsageError(
        `no venue runs in ${dataDirOf(env)}: the last one, process ${venue.pid} at ${venue.url}, ended without stopping; ` +
          'start it, or set DATA_DIR to that of the venue, or PORT',
      )
  }
  const base = localUrl({ address: host ?? '127.0.0.1', port: Number(port ?? 8080) })
  if (!URL.canParse(base))
    throw new UsageError(`HOST ${host ?? '127.0.0.1'} and PORT ${port ?? '8080'} are not an address`)
  return base
}

const textOf = (value: string | undefined): string | undefined => (value === '' ? undefined : value)
const dataDirOf = ({ DATA_DIR }: Environment): string => textOf(DATA_DIR) ?? './data'

function keyOf(env: Environment): string {
  const key = textOf(env['DESK_KEY'])
  if (key !== undefined) return key
  const file = join(dataDirOf(env), 'desk.key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new UsageError(`no key in ${file}: set DATA_DIR to that of the venue, or DESK_KEY`)
  }
}

async function toError(answer: Response, base: string): Promise<RejectedError | UsageError> {
  const parsed = errorBody.safeParse(await answer.json().catch(() => undefined))
  if (!parsed.success) return new UsageError(`the server at ${base} is not a venue (${answer.status})`)
  if (answer.status === 503) return new UsageError(`the venue at ${base} is starting or stopping`)
  const aboutActor = parsed.data.error.fields?.['as']
  if (aboutActor === 'REQUIRED')
    return new UsageError('in live mode every command names who acts: --as NAME, or log in')
  if (aboutActor !== undefined)
    return new UsageError(
      '--as takes one line of 40 characters at most, and no name of the staff: they log in',
    )
  if (parsed.data.error.fields?.['called'] === 'REQUIRED')
    return new UsageError(
      'a forgotten password takes --called yes: call the member at the registered number first',
    )
  return new RejectedError(parsed.data.error)
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : 'no connection'
}
