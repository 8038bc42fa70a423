import { writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { otherBrowsers } from '../browsers/installed.ts'
import { mainJob } from '../browsers/mainJob.ts'

for (const { name, open, missing } of otherBrowsers()) {
  test(`a visitor registers, trades and checks the proof in ${name}`, async ({ baseURL }, info) => {
    test.skip(open === null, `not installed here: ${missing}`)
    if (open === null) return
    const tab = await open()
    try {
      await tab.resize({ width: 390, height: 844 })
      expect(await mainJob(tab, baseURL ?? '')).toEqual([])
    } catch (error) {
      await writeFile(info.outputPath('screen.png'), await tab.picture())
      throw error
    } finally {
      await tab.close()
    }
  })
}
