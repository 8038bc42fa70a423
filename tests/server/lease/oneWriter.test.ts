import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { driveOneWriter } from '../../support/kill/oneWriter.ts'
import { postgresRefusal } from '../../support/scratchPostgres.ts'

const seed = randomInt(2 ** 31)

/** `npm run campaign lease` is the same with a hundred kills and twenty freezes. */
it.runIf((await postgresRefusal()) === null)(
  `one database has one writer, through 5 kills, 2 freezes and starts beside a living one (seed ${seed})`,
  async () => {
    const { broken, starts, refusedMs } = await driveOneWriter({ kills: 5, freezes: 2, seed })
    expect(broken).toEqual([])
    expect(starts).toBe(8)
    expect(refusedMs).toHaveLength(2)
  },
  900_000,
)
