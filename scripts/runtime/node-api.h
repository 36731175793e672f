/* The experimental part of Node-API that better-sqlite3 needs and node-api-headers leaves out. */
#define NAPI_VERSION NAPI_VERSION_EXPERIMENTAL
#include <node_api.h>

#define NODE_API_EXPERIMENTAL_HAS_POST_FINALIZER

EXTERN_C_START
NAPI_EXTERN napi_status NAPI_CDECL node_api_post_finalizer(napi_env env, napi_finalize finalize, void *data, void *hint);
EXTERN_C_END
