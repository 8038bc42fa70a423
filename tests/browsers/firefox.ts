import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { keyActions, type Tab } from './tab.ts'

/** What a new profile asks, offers or fetches by itself. */
const settings = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'intl.accept_languages': 'en-GB',
  // Headless there is no pointer.
  'ui.primaryPointerCapabilities': 5,
}

type Reply = { id?: number; result?: Record<string, unknown>; error?: string; message?: string }

/** Starts the Firefox at `path`, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export async function openFirefox(path: string): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'uptick-firefox-'))
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const browser = spawn(path, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TZ: 'Asia/Shanghai' },
  })
  const close = async (): Promise<void> => {
    if (browser.exitCode === null && browser.kill()) await once(browser, 'exit')
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const send = await connect(await addressIn(browser.stderr))
    const { capabilities } = (await send('session.new', { capabilities: {} })) as {
      capabilities: { browserName: string; browserVersion: string }
    }
    const { context } = (await send('browsingContext.create', { type: 'tab' })) as { context: string }
    return { name: `Firefox ${capabilities.browserVersion}`, ...tabOf(send, context), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Send = (method: string, params: object) => Promise<Record<string, unknown>>

function tabOf(send: Send, context: string): Omit<Tab, 'name' | 'close'> {
  const act = async (type: string, id: string, actions: object[]): Promise<void> => {
    await send('input.performActions', { context, actions: [{ type, id, actions }] })
  }
  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async <T>(expression: string) => {
      const { type, result, exceptionDetails } = (await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
        target: { context },
        awaitPromise: true,
      })) as { type: string; result?: { value: string }; exceptionDetails?: { text: string } }
      if (type !== 'success' || result === undefined) throw new Error(exceptionDetails?.text ?? 'no result')
      return JSON.parse(result.value) as T
    },
    click: (x, y) =>
      act('pointer', 'mouse', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (text) => act('key', 'keyboard', keyActions(text)),
    resize: async (viewport) => void (await send('browsingContext.setViewport', { context, viewport })),
    picture: async () => {
      const { data } = (await send('browsingContext.captureScreenshot', { context })) as { data: string }
      return Buffer.from(data, 'base64')
    },
  }
}

/** The address that the browser prints once it listens. */
async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      // Read on, or the pipe fills and the browser waits.
      output.resume()
      return address
    }
  }
  throw new Error('Firefox ended before it listened')
}

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const waiting = new Map<
    number,
    { resolve: (value: Record<string, unknown>) => void; reject: (error: Error) => void }
  >()
  socket.on('message', (data: Buffer) => {
    const { id = -1, result, error, message } = JSON.parse(data.toString()) as Reply
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result ?? {})
    else call?.reject(new Error(`${error}: ${message}`))
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection'))
  })
  let last = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}
