import { readFile } from 'node:fs/promises'
import own from '../products.json' with { type: 'json' }
import { parseProducts, ProductsError } from './products.ts'
import type { ProductRow } from './products.ts'

/**
 * Reads the product table: the operator's file, or the project's own.
 * @throws ProductsError with one line for each fault
 */
export async function readProducts(file?: string): Promise<ProductRow[]> {
  if (file === undefined) return parseProducts(own)
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ProductsError([`products: ${file} cannot be read`])
  })
  return parseProducts(jsonOf(text, file))
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProductsError([`products: ${file} is no JSON`])
  }
}
