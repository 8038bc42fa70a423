import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const documentComment = '// @vitest-environment happy-dom'

/**
 * The order of test files: those that start processes and take minutes come first, so that none is left over at the end,
 * and the server's after them, because they share its modules; those with a document come last, because a thread with one
 * cannot be shared with the others.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [0, 1, 2, 3].flatMap((group) => sorted.filter(({ moduleId }) => groupOf(moduleId) === group))
  }
}

function groupOf(file: string): number {
  if (/\/tests\/server\/(start|lease|db)\//.test(file)) return 0
  if (file.includes('/tests/server/')) return 1
  return readFileSync(file, 'utf8').startsWith(documentComment) ? 3 : 2
}
