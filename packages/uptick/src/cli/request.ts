import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Ask } from '../venueClient.ts'
import { parsedJson } from './json.ts'

export type Requested = {
  method?: string
  headers?: Record<string, string>
  body?: string | undefined
  signal: AbortSignal
}

const redirectsMax = 5
const isRedirect = (status = 0): boolean => [301, 302, 303, 307, 308].includes(status)

/**
 * A request by Node's own HTTP: the code of `fetch` takes 10 MB for as long as a command runs. Only a GET follows
 * redirects: a password goes nowhere else.
 * @returns the answer, with a body that is still to be read
 * @throws TypeError if nothing answers
 */
export async function request(
  address: string,
  { method = 'GET', headers = {}, body, signal }: Requested,
  redirects = redirectsMax,
): Promise<IncomingMessage> {
  const url = new URL(address)
  const again = (to: string, left: number) => request(to, { headers, signal }, left)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { request: open } = url.protocol === 'https:' ? https : http
    let isAnswered = false
    const sent = open(url, { method, headers, signal }, (incoming) => {
      isAnswered = true
      resolve(incoming)
    })
    sent.on('error', (cause) => {
      if (isAnswered) return
      // The server may close a connection in the moment in which it is used again.
      if (sent.reusedSocket && method === 'GET' && !signal.aborted) resolve(again(address, redirects))
      else reject(new TypeError(`${url.origin} does not answer`, { cause }))
    })
    sent.end(body)
  })
  const { location = '' } = answer.headers
  const isFollowed = method === 'GET' && redirects > 0 && isRedirect(answer.statusCode)
  if (!isFollowed || !URL.canParse(location, url.href)) return answer
  answer.resume()
  return again(new URL(location, url).href, redirects - 1)
}

/** The JSON of an answer; undefined if it is none. @throws TypeError if it breaks off */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  let text = ''
  try {
    for await (const part of answer.setEncoding('utf8')) text += part
  } catch (cause) {
    throw new TypeError('the answer breaks off', { cause })
  }
  return parsedJson(text)
}

/** As `venueClient` asks. */
export const askByHttp: Ask = async (address, what) => {
  const answer = await request(address, what)
  const time = answer.headers['server-time']
  return {
    status: answer.statusCode ?? 0,
    body: await readJson(answer),
    serverTime: typeof time === 'string' ? time : null,
  }
}
