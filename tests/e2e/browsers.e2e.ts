import { writeFile } from 'node:fs/promises'
import { otherBrowsers } from '../browsers/installed.ts'
import { mainJob } from '../browsers/mainJob.ts'
import type { Tab } from '../browsers/tab.ts'
import { expect, test } from './test.ts'

let tab: Tab | null = null

// Here and not in the test, which does not go on after its time is over.
test.afterEach(async () => {
  const info = test.info()
  const used = tab
  tab = null
  try {
    if (used !== null && info.status !== info.expectedStatus)
      await writeFile(info.outputPath('screen.png'), await used.picture())
  } finally {
    await used?.close()
  }
})

for (const { name, open, missing } of otherBrowsers()) {
  test(`a visitor registers, trades and checks the proof in ${name}`, async ({ baseURL }) => {
    test.skip(open === null, `not installed here: ${missing}`)
    if (open === null) return
    tab = await open()
    await tab.resize({ width: 390, height: 844 })
    expect(await mainJob(tab, baseURL ?? '')).toEqual([])
  })
}
