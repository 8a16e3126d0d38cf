/** The address of the module, as bundlers make it of an import; `init` takes it. */
declare const address: string;
export default address;
