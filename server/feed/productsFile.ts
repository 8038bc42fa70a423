import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../paths.ts'
import { parseProducts, ProductsError } from './products.ts'
import type { ProductRow } from './products.ts'

/** The project's own product table. */
export const defaultProductsFile = join(projectRoot, 'server/products.json')

/**
 * Reads a product table.
 * @throws ProductsError with one line per violation
 */
export async function readProducts(file: string): Promise<ProductRow[]> {
  let table: unknown
  try {
    table = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new ProductsError([`${file} ${problem}`])
  }
  return parseProducts(table)
}
