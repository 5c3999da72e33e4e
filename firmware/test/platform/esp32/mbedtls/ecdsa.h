// The part of mbedTLS 3 that boards/esp32/hashes.h uses.
#pragma once
#include <stddef.h>

extern "C" {
struct mbedtls_mpi {
  unsigned char state[12];
};
struct mbedtls_ecp_point {
  unsigned char state[36];
};
struct mbedtls_ecp_group {
  unsigned char state[200];
};
typedef enum { MBEDTLS_ECP_DP_SECP256R1 = 3 } mbedtls_ecp_group_id;
void mbedtls_mpi_init(mbedtls_mpi* number);
void mbedtls_mpi_free(mbedtls_mpi* number);
int mbedtls_mpi_read_binary(mbedtls_mpi* number, const unsigned char* bytes, size_t size);
void mbedtls_ecp_group_init(mbedtls_ecp_group* group);
void mbedtls_ecp_group_free(mbedtls_ecp_group* group);
int mbedtls_ecp_group_load(mbedtls_ecp_group* group, mbedtls_ecp_group_id id);
void mbedtls_ecp_point_init(mbedtls_ecp_point* point);
void mbedtls_ecp_point_free(mbedtls_ecp_point* point);
int mbedtls_ecp_point_read_binary(const mbedtls_ecp_group* group, mbedtls_ecp_point* point, const unsigned char* bytes,
                                  size_t size);
int mbedtls_ecdsa_verify(mbedtls_ecp_group* group, const unsigned char* digest, size_t size,
                         const mbedtls_ecp_point* key, const mbedtls_mpi* r, const mbedtls_mpi* s);
}
