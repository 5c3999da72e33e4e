// Update files for the tests.
#pragma once
#include <mbedtls/ecdsa.h>
#include <mbedtls/md.h>
#include <stdint.h>

#include <string>

namespace device {

/// An update file for a board; `chip` is also in the header of the image.
inline std::string update_file(const std::string& tag, uint16_t chip, size_t size = 5000,
                               const std::string& version = "1.3.0") {
  std::string image(size, '\0');
  for (size_t i = 0; i < size; i++) image[i] = static_cast<char>(i * 31 + i / 251);
  image[0] = static_cast<char>(0xe9);
  image[1] = 4;
  image[12] = static_cast<char>(chip);
  image[13] = static_cast<char>(chip >> 8);
  uint8_t digest[32];
  mbedtls_md(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), reinterpret_cast<const unsigned char*>(image.data()),
             image.size(), digest);
  std::string head(128, '\0');
  head.replace(0, 8, "HEARTHUP");
  head[8] = static_cast<char>(chip);
  head[9] = static_cast<char>(chip >> 8);
  head[10] = 1;
  for (int i = 0; i < 4; i++) head[12 + i] = static_cast<char>(size >> (8 * i));
  for (int i = 0; i < 32; i++) head[16 + i] = static_cast<char>(digest[i]);
  head.replace(48, tag.size(), tag);
  head.replace(80, version.size(), version);
  return head + image;
}

// A key for tests only. The public part is X and Y.
constexpr char kTestKey[] = "013543928525c85a9b107fda4544cde0f03e45e0f1c7eb6fb31447c53559960f";
constexpr char kTestPublicKey[] =
    "1e07b905dd2f6363a811c11034624bceb66768260fb2a5238f8c9c6479972fc4"
    "886c162a1bf1187faffd78b7e1b88d45a3cad870328d076f78edf8a57879a819";

inline std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

/// The same update with a signature by a private key.
inline std::string sign_update(std::string file, const std::string& key = from_hex(kTestKey)) {
  file[10] = 2;
  const auto bytes = [](const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); };
  uint8_t digest[32], signature[64];
  mbedtls_md(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), bytes(file), 128, digest);
  mbedtls_ecp_group curve;
  mbedtls_mpi secret, r, s;
  mbedtls_ecp_group_init(&curve);
  mbedtls_ecp_group_load(&curve, MBEDTLS_ECP_DP_SECP256R1);
  mbedtls_mpi_init(&secret);
  mbedtls_mpi_init(&r);
  mbedtls_mpi_init(&s);
  mbedtls_mpi_read_binary(&secret, bytes(key), key.size());
  const auto chance = [](void*, unsigned char* out, size_t size) {
    for (size_t i = 0; i < size; i++) out[i] = static_cast<unsigned char>(i * 37 + 11);
    return 0;
  };
  mbedtls_ecdsa_sign_det_ext(&curve, &r, &s, &secret, digest, sizeof digest, MBEDTLS_MD_SHA256, chance, nullptr);
  mbedtls_mpi_write_binary(&r, signature, 32);
  mbedtls_mpi_write_binary(&s, signature + 32, 32);
  mbedtls_mpi_free(&s);
  mbedtls_mpi_free(&r);
  mbedtls_mpi_free(&secret);
  mbedtls_ecp_group_free(&curve);
  return file.substr(0, 128) + std::string(reinterpret_cast<char*>(signature), sizeof signature) + file.substr(128);
}

}  // namespace device
