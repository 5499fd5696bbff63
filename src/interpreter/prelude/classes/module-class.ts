// A class of a module, from which programs may inherit.

import { builtin, type Native } from '../calls/signature.js'
import { asMethod, attachClass, Class, setMember } from './classes.js'
import { classCallable } from './construct.js'
import { settleClass } from './instances.js'
import { objectClass } from './known-classes.js'

/** Makes a class, and the function that defines its methods. */
export function moduleClass(name: string, module: string, base: Class = objectClass) {
  const cls = new Class(name, 'builtin', [base])
  attachClass(classCallable(cls), cls)
  Object.assign(cls.$extras, { inheritable: true, module })
  settleClass(cls)
  const define = (method: string, parameters: string, f: Native): void => {
    setMember(cls, method, asMethod(builtin(method, parameters, f)))
    settleClass(cls)
  }
  return { cls, define }
}
