import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJsonFile } from '../../../contract/fileText.ts'
import { projectRoot } from '../../platform/paths.ts'
import { whyNotJson } from '../../platform/textFile.ts'
import { parseProducts, ProductsError, type ProductRow } from './products.ts'

/** The project's own product table. */
export const defaultProductsFile = join(projectRoot, 'server/products.json')

/**
 * Reads a product table.
 * @throws ProductsError with one line per violation
 */
export async function readProducts(file: string): Promise<ProductRow[]> {
  let table: unknown
  try {
    table = parseJsonFile(await readFile(file, 'utf8'))
  } catch (error) {
    throw new ProductsError([`${file} ${whyNotJson(error)}`])
  }
  return parseProducts(table)
}
