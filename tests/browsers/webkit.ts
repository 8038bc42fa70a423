import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { freePort } from '../support/otherPrograms.ts'
import { keyActions, type Tab } from './tab.ts'

/** WebKitGTK's browser for tests. It is never narrower than 450 px. */
export type WebKitPaths = { driver: string; browser: string; display: string }

/** Starts WebKitGTK on a display of its own, driven by WebDriver (https://www.w3.org/TR/webdriver2/). */
export async function openWebKit({ driver, browser, display }: WebKitPaths): Promise<Tab> {
  const started: ChildProcess[] = []
  const close = async (): Promise<void> => {
    for (const child of started.toReversed())
      if (child.exitCode === null && child.kill()) await once(child, 'exit')
  }
  try {
    const xvfb = spawn(display, ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    started.push(xvfb)
    const number = await firstLine(xvfb.stdio[3] as Readable)
    const port = await freePort()
    const env = { ...process.env, DISPLAY: `:${number}`, TZ: 'Asia/Shanghai', LIBGL_ALWAYS_SOFTWARE: '1' }
    started.push(spawn(driver, [`--port=${port}`], { stdio: 'ignore', env }))
    const send = sender(`http://127.0.0.1:${port}`)
    const { sessionId, capabilities } = (await untilListening(() =>
      send('POST', '/session', {
        capabilities: {
          alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } },
        },
      }),
    )) as { sessionId: string; capabilities: { browserVersion: string } }
    const path = `/session/${sessionId}`
    await send('POST', `${path}/timeouts`, { script: 120_000, pageLoad: 120_000 })
    const tab = tabOf((method, command, body) => send(method, path + command, body))
    const end = async (): Promise<void> => {
      await send('DELETE', path)
      await close()
    }
    return { name: `WebKitGTK ${capabilities.browserVersion}`, ...tab, close: end }
  } catch (error) {
    await close()
    throw error
  }
}

type Send = (method: string, path: string, body?: object) => Promise<unknown>

function tabOf(send: Send): Omit<Tab, 'name' | 'close'> {
  const act = async (type: string, id: string, actions: object[]): Promise<void> => {
    await send('POST', '/actions', { actions: [{ type, id, actions }] })
  }
  const evaluate = async <T>(expression: string): Promise<T> => {
    const script = `const done = arguments[0]
      Promise.resolve().then(async () => JSON.stringify(await (${expression})) ?? 'null')
        .then((value) => done({ value }), (error) => done({ error: String(error) }))`
    const answer = (await send('POST', '/execute/async', { script, args: [] })) as {
      value: string
      error?: string
    }
    if (answer.error !== undefined) throw new Error(answer.error)
    return JSON.parse(answer.value) as T
  }
  return {
    evaluate,
    goto: async (url) => void (await send('POST', '/url', { url })),
    click: (x, y) =>
      act('pointer', 'mouse', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (text) => act('key', 'keyboard', keyActions(text)),
    resize: async ({ width, height }) => {
      // The window's own bars come on top.
      const sizeOf = (): Promise<number[]> => evaluate('[innerWidth, innerHeight]')
      const window = (await send('GET', '/window/rect')) as { width: number; height: number }
      const [innerWidth = 0, innerHeight = 0] = await sizeOf()
      const rect = { width: window.width - innerWidth + width, height: window.height - innerHeight + height }
      await send('POST', '/window/rect', rect)
    },
    picture: async () => Buffer.from((await send('GET', '/screenshot')) as string, 'base64'),
  }
}

const sender =
  (origin: string): Send =>
  async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null }
    if (!answer.ok) throw new Error(`${value?.error}: ${value?.message}`)
    return value
  }

/** Repeats a request until the driver listens: it prints nothing when it does. */
async function untilListening<T>(request: () => Promise<T>, tries = 200): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const isRefused = error instanceof TypeError
    if (!isRefused || tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 50))
    return untilListening(request, tries - 1)
  }
}

async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line.trim()
  throw new Error('the display did not start')
}
