import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import type { CpuSeconds } from './fileCost.ts'

/** Processor seconds that the tests of one file may take on a machine of this speed; what takes more is a system test. */
const budget = { seconds: 8, referenceMs: 120 }

type Row = { file: string; count: number; environment: number; load: number; tests: number; total: number }

/**
 * With TEST_COST_FILE, writes what each test file took of the processor into that file, the most expensive first, and fails
 * the run if one took more than the budget. It counts the time of the file's thread. With `--maxWorkers 1` it counts all
 * of the process, with its children.
 */
export default class CostReporter implements Reporter {
  private readonly path = process.env['TEST_COST_FILE']
  private oneWorker = false
  private rounds: number[] = []

  onInit({ config }: Vitest): void {
    this.oneWorker = config.maxWorkers === 1
    if (this.path !== undefined) this.rounds = [fixedWorkMs(), fixedWorkMs(), fixedWorkMs()]
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.path === undefined) return
    const rows = modules.map((module) => this.row(module)).toSorted((a, b) => b.total - a.total)
    const rounds = [...this.rounds, fixedWorkMs(), fixedWorkMs(), fixedWorkMs()].toSorted((a, b) => a - b)
    const allowed = budget.seconds * Math.max(1, (rounds[3] ?? 0) / budget.referenceMs)
    writeFileSync(this.path, `${[...rows, sumOf(rows)].map(lineOf).join('\n')}\n`)
    const over = rows.filter(({ tests }) => tests > allowed)
    if (over.length === 0) return
    process.exitCode = 1
    console.error(
      `Above ${allowed.toFixed(1)} s of processor time (${budget.seconds} s on the reference machine):\n${over.map(lineOf).join('\n')}`,
    )
  }

  private row(module: TestModule): Row {
    const cost = module.meta().cost
    const seconds = (of: CpuSeconds | undefined): number =>
      of === undefined ? 0 : this.oneWorker ? of.process + of.children : of.thread
    const [environment, load, tests] = [seconds(cost?.environment), seconds(cost?.load), seconds(cost?.tests)]
    return {
      file: relative(process.cwd(), module.moduleId),
      count: [...module.children.allTests()].length,
      environment,
      load,
      tests,
      total: environment + load + tests,
    }
  }
}

function sumOf(rows: readonly Row[]): Row {
  const sum = (key: 'count' | 'environment' | 'load' | 'tests' | 'total'): number =>
    rows.reduce((total, row) => total + row[key], 0)
  return {
    file: `${rows.length} files`,
    count: sum('count'),
    environment: sum('environment'),
    load: sum('load'),
    tests: sum('tests'),
    total: sum('total'),
  }
}

const lineOf = ({ file, count, environment, load, tests, total }: Row): string =>
  `${total.toFixed(2)} s (environment ${environment.toFixed(2)}, modules ${load.toFixed(2)}, ${count} tests ${tests.toFixed(2)})\t${file}`

/** What a computation that never changes takes now: a busy neighbour on the same core makes every file slower, and this too. */
function fixedWorkMs(): number {
  const before = process.cpuUsage()
  const texts = new Map<number, string>()
  for (let i = 0; i < 2_000_000; i++) {
    const key = (i * 7919) % 4096
    const text = `${texts.get(key) ?? ''}${i % 10}`
    texts.set(key, text.length > 32 ? '' : text)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
