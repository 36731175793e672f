/**
 * Node's own HTTP. What imports the module gets all that it exports looked at, and with it Node's fetch loaded, which nobody
 * needs here: that took a fifth of what main takes to load.
 */
export const { request: httpRequest } = process.getBuiltinModule('node:http')
