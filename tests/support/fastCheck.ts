import fc from 'fast-check'
import { chosenSeed, printRepeatCommand } from './testSeed.ts'

// A property that fails prints the command that repeats it; under that command it begins with the same seed.
if (chosenSeed !== undefined) fc.configureGlobal({ seed: chosenSeed })
fc.installGlobalPlugin(() => ({
  onAllRunsComplete: ({ failed, seed }) => {
    if (failed) printRepeatCommand(seed)
  },
}))

export { fc }
