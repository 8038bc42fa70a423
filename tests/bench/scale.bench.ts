/**
 * P17: what a venue takes with more products and more sockets, and what each product, tick, socket, frame, member and order
 * adds. Needs `npm run build`, and Linux. `SHORT=1` takes two minutes; `BENCH_DATABASE_URL`, an empty database of
 * PostgreSQL, takes the place of the embedded one.
 */
import { loadavg } from 'node:os'
import type { Row } from './row.ts'
import { fittedLine } from './scale/line.ts'
import { memberCosts, type MemberCosts } from './scale/members.ts'
import { openScaledVenue, openSockets, productIds, ticksPerSecond, type Load } from './scale/venue.ts'

const isShort = process.env['SHORT'] !== undefined
const listed = (name: string, long: string, short: string): number[] =>
  (process.env[name] ?? (isShort ? short : long)).split(',').map(Number)
const productCounts = listed('PRODUCTS', '1,5,20,100', '1,100')
const socketCounts = listed('SOCKETS', '10,100,1000,5000', '10,200')
const seconds = Number(process.env['SECONDS'] ?? (isShort ? 4 : 15))
/** After new sockets, until what connecting took is over. */
const settleS = isShort ? 1 : 5
/** A page subscribes to no more. */
const watchedMax = 20

type Cell = Load & { products: number; sockets: number }

export async function run(): Promise<Row[]> {
  const cells: Cell[] = []
  let costs: MemberCosts | undefined
  for (const products of productCounts) {
    const venue = await openScaledVenue(products)
    try {
      await venue.measure(settleS)
      const [first = 10] = socketCounts
      const sockets = await openSockets(venue.url, first, productIds(Math.min(products, watchedMax)))
      let open = first
      for (const count of socketCounts) {
        await sockets.more(count - open)
        open = count
        await venue.measure(settleS)
        const [load, frames] = await sockets.during(() => venue.measure(seconds))
        cells.push({ ...load, frames, products, sockets: count })
        console.error(`  ${lineOf(cells.at(-1)!)}, load ${loadavg()[0]?.toFixed(1)}`)
      }
      await sockets.close()
      costs ??= await memberCosts(venue)
    } finally {
      await venue.close()
    }
  }
  return [...cells.flatMap(cellRows), ...costRows(cells), ...memberRows(costs)]
}

const percent = (cpu: number): number => cpu * 100
const lineOf = ({ products, sockets, cpu, mb, frames }: Cell): string =>
  `${products} products × ${sockets} sockets: ${percent(cpu).toFixed(1)} % of a core, ${mb.toFixed(0)} MB, ${frames.toFixed(0)} frames/s`

const row = (what: string, value: number, unit: string): Row => ({ id: 'P17', what, value, unit })

function cellRows(cell: Cell): Row[] {
  const at = `${cell.products} products × ${cell.sockets} sockets`
  return [
    row(`${at}: processor`, percent(cell.cpu), '% of a core'),
    row(`${at}: memory`, cell.mb, 'MB'),
    row(`${at}: frames`, cell.frames, '/s'),
  ]
}

/** Lines through the cells: over products with the fewest sockets, over sockets with the fewest products. */
function costRows(cells: readonly Cell[]): Row[] {
  const [fewestSockets, fewestProducts] = [Math.min(...socketCounts), Math.min(...productCounts)]
  const overProducts = cells.filter(({ sockets }) => sockets === fewestSockets)
  const overSockets = cells.filter(({ products }) => products === fewestProducts)
  const product = fittedLine(overProducts.map(({ products, cpu }) => [products, cpu]))
  const productMb = fittedLine(overProducts.map(({ products, mb }) => [products, mb]))
  const socket = fittedLine(overSockets.map(({ sockets, cpu }) => [sockets, cpu]))
  const socketMb = fittedLine(overSockets.map(({ sockets, mb }) => [sockets, mb]))
  const frame = fittedLine(overSockets.map(({ frames, cpu }) => [frames, cpu]))
  return [
    row('without sockets and products: processor', percent(product.at), '% of a core'),
    row('each product: processor', percent(product.slope), '% of a core'),
    row('each product: memory', productMb.slope * 1024, 'kB'),
    row('each tick: processor', (product.slope * 1e6) / ticksPerSecond, 'µs'),
    row('each socket: processor', percent(socket.slope), '% of a core'),
    row('each socket: memory', socketMb.slope * 1024, 'kB'),
    row('each frame that arrives: processor', frame.slope * 1e6, 'µs'),
    row('sockets of one product that fill a core', (1 - socket.at) / socket.slope, ''),
  ]
}

const memberRows = (costs: MemberCosts | undefined): Row[] =>
  costs === undefined
    ? []
    : [
        row('each member: an account and a log-in, processor', costs.logInMs, 'ms'),
        row('each visit of a member: its first calls, processor', costs.visitMs, 'ms'),
        row('each order until it has settled: processor', costs.orderMs, 'ms'),
      ]
