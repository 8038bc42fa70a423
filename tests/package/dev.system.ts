import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { freePort } from '../support/otherPrograms.ts'

it('npm run dev has the app at PORT, with what is behind it', async () => {
  const port = await freePort()
  const dev = spawn(
    process.execPath,
    ['scripts/dev.mjs', '--replay', 'packages/uptick/samples/btc-2022-01-15.csv.gz'],
    { env: { ...process.env, NO_COLOR: '1', PORT: String(port) }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  dev.stdout.on('data', (data: Buffer) => (said += data.toString()))
  try {
    await expect.poll(() => said, { timeout: 120_000 }).toContain('is ready behind it')
    await expect.poll(() => said, { timeout: 120_000 }).toContain(`localhost:${port}/`)
    const page = await fetch(`http://localhost:${port}/`)
    expect(await page.text()).toContain('/src/main.tsx')
    const products = (await (await fetch(`http://localhost:${port}/api/products`)).json()) as {
      items: { id: string }[]
    }
    expect(products.items.map(({ id }) => id)).toEqual(['BTC'])
  } finally {
    dev.kill()
    await once(dev, 'exit')
  }
})
