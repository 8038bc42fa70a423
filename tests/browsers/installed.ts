import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'
import type { Tab } from './tab.ts'

/** A browser beside Chromium; `open` is null where it is not installed, and `missing` names the package. */
export type OtherBrowser = { name: string; missing: string; open: (() => Promise<Tab>) | null }

/** Firefox and WebKit as Debian installs them, on the PATH. */
export function otherBrowsers(): OtherBrowser[] {
  const firefox = onPath('firefox-esr') ?? onPath('firefox')
  const driver = onPath('WebKitWebDriver')
  const display = onPath('Xvfb')
  const browser = miniBrowser()
  return [
    {
      name: 'Firefox',
      missing: 'apt-get install firefox-esr',
      open: firefox === undefined ? null : () => openFirefox(firefox),
    },
    {
      name: 'WebKit',
      missing: 'apt-get install webkit2gtk-driver xvfb',
      open:
        driver === undefined || display === undefined || browser === undefined
          ? null
          : () => openWebKit({ driver, browser, display }),
    },
  ]
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

function miniBrowser(): string | undefined {
  const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec'].filter(
    existsSync,
  )
  return libraries
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith('webkit2gtk-'))
        .map((name) => join(folder, name, 'MiniBrowser')),
    )
    .find((path) => existsSync(path))
}
