import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type LaunchOptions } from '@playwright/test'

const launchArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

const wrapper = join(import.meta.dirname, 'chromium.sh')

/**
 * Launch options for Chromium: an installed one first (`CHROME_PATH`, then the PATH), then the one from npm, then
 * Playwright's own. So the browser tests need only `npm ci` on a fresh Linux machine.
 */
export async function browserLaunch(): Promise<LaunchOptions> {
  const installed = process.env['CHROME_PATH'] ?? onPath(['chromium', 'chromium-browser', 'google-chrome'])
  if (installed) return atOwnPriority({ executablePath: installed, args: launchArgs })
  if (process.platform === 'linux' && process.arch === 'x64') return packagedLaunch()
  return { args: launchArgs }
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await browserLaunch())
}

/** The packaged Chromium unpacks the shared libraries it needs only if it thinks it runs on AWS Lambda. */
async function packagedLaunch(): Promise<LaunchOptions> {
  const before = { ...process.env }
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs20.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  const executablePath = await packaged.executablePath()
  const libraries = process.env['LD_LIBRARY_PATH'] ?? ''
  restore('AWS_EXECUTION_ENV', before)
  restore('LD_LIBRARY_PATH', before)
  restore('FONTCONFIG_PATH', before)
  return atOwnPriority({
    executablePath,
    args: [...launchArgs, '--headless=shell'],
    env: { ...definedEnv(), LD_LIBRARY_PATH: libraries },
  })
}

/** The launch of a browser that does not take the processors from everything else on Linux. */
const atOwnPriority = ({ executablePath = '', env, ...more }: LaunchOptions): LaunchOptions => ({
  ...more,
  executablePath: process.platform === 'linux' ? wrapper : executablePath,
  env: { ...(env ?? definedEnv()), CHROMIUM: executablePath },
})

/** The environment of this process. */
const definedEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

function restore(name: string, before: NodeJS.ProcessEnv): void {
  if (before[name] === undefined) delete process.env[name]
  else process.env[name] = before[name]
}

function onPath(names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
