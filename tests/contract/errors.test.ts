import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { fieldErrors } from '../../contract/errors.ts'
import { placeRequest } from '../../contract/orders.ts'
import { registerCheck } from '../../contract/auth.ts'
import { pageQuery } from '../../contract/schema.ts'

type Parsed = { success: true } | { success: false; error: { issues: Parameters<typeof fieldErrors>[0] } }

function fieldsOf(schema: { safeParse(value: unknown): Parsed }, value: unknown) {
  const parsed = schema.safeParse(value)
  return parsed.success ? {} : fieldErrors(parsed.error.issues, value)
}

const good = {
  productId: 'EURUSD',
  direction: 'up',
  amount: '1.00',
  seconds: 60,
  rateBp: 8500,
  validUntil: 1,
}

it.each([
  [good, {}],
  [{ ...good, amount: '1.0' }, { amount: 'AMOUNT_FORMAT' }],
  [{ ...good, amount: '-1.00' }, { amount: 'AMOUNT_FORMAT' }],
  [{ ...good, extra: 1 }, { extra: 'UNKNOWN_FIELD' }],
  [{ ...good, seconds: '60' }, { seconds: 'TYPE' }],
  [{ ...good, direction: 'left' }, { direction: 'INVALID' }],
  [
    { ...good, amount: undefined, validUntil: undefined },
    { amount: 'REQUIRED', validUntil: 'REQUIRED' },
  ],
])('reports the field errors of the order %j', (body, fields) => {
  expect(fieldsOf(placeRequest, body)).toEqual(fields)
})

it.each([['text'], [[]], [7], [null]])('names no field where the body is not an object: %j', (body) => {
  expect(fieldsOf(placeRequest, body)).toEqual({})
})

it.each([['0'], ['101'], ['99999999999']])(
  'calls the number %s out of range invalid, not too long',
  (limit) => {
    expect(fieldsOf(z.object(pageQuery), { limit })).toEqual({ limit: 'INVALID' })
  },
)

it('calls a text beyond its length too long', () => {
  expect(fieldsOf(z.object(pageQuery), { cursor: 'c'.repeat(201) })).toEqual({ cursor: 'TOO_LONG' })
})

it.each([
  [
    { account: '', phone: '', openingCode: '' },
    { account: 'REQUIRED', phone: 'REQUIRED', openingCode: 'REQUIRED' },
  ],
  [
    { account: 'ab', phone: '123', openingCode: 'X' },
    { account: 'ACCOUNT_FORMAT', phone: 'PHONE_FORMAT' },
  ],
])('reports the field errors of the registration %j', (body, fields) => {
  expect(fieldsOf(registerCheck, body)).toEqual(fields)
})
